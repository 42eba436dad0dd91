/** Who runs next and where, and why the others wait. Touches job and cluster. */
package fairlead.policy;
