/** Job files: YAML or JSON in, spec out, and back. Touches api. */
package fairlead.cli.spec;
