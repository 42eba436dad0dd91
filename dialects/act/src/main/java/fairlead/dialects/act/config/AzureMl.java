package fairlead.dialects.act.config;

import java.util.Optional;

/**
 * What a config file says about Azure ML alone.
 *
 * @param workspace its name, from the file or mapping {@code aml_config}
 * @param platform aml, itp or singularity
 */
public record AzureMl(
        Optional<String> workspace, Optional<String> computeTarget, String platform) {}
