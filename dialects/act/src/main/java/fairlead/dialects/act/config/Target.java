package fairlead.dialects.act.config;

import fairlead.dialects.yaml.Spot;

import java.util.Optional;

/**
 * The cluster of a Fairlead server that a config file names by its key {@code engine}.
 *
 * @param cluster {@code local} on a personal server
 * @param project who pays; empty for the server's own choice
 * @param spot where the cluster is named
 */
public record Target(String cluster, Optional<String> project, Spot spot) {}
