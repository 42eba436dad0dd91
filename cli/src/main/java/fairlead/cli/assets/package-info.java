/** The folder {@code ./assets} with the logs of jobs, as ACT keeps it. Touches api and dialects. */
package fairlead.cli.assets;
