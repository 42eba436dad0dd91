/** How fast the core decides, measured with JMH. Touches core. */
package fairlead.bench;
