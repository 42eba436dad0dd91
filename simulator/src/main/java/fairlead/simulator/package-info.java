/** The real loop in virtual time, from one seed: with faults, or over traces. Touches core. */
package fairlead.simulator;
