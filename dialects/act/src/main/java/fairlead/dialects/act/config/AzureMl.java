package fairlead.dialects.act.config;

import java.util.Optional;

/**
 * What a config file says about Azure ML alone.
 *
 * @param workspace where it is, from the file or mapping {@code aml_config}
 * @param platform aml, itp or singularity
 * @param cliLogin whether the login of Azure's own command counts, and no other
 */
public record AzureMl(
        Optional<Workspace> workspace,
        Optional<String> computeTarget,
        String platform,
        boolean cliLogin) {
    /** The three names that lead to a workspace. */
    public record Workspace(String subscription, String resourceGroup, String name) {}
}
