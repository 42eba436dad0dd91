/** The real loop in virtual time, from one seed, with faults. Touches core. */
package fairlead.simulator;
