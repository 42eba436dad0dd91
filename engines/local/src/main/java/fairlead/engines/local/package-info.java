/** Tasks as processes of this machine. Touches the engine port. */
package fairlead.engines.local;
