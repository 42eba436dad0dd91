package fairlead.transfer;

import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.ConfigPlaces;
import fairlead.dialects.philly.PhillyConfig;
import fairlead.dialects.yaml.ConfigException;

import java.util.List;
import java.util.Optional;

/** Finds the config file that a call is about. */
final class Clusters {
    private final Screen screen;

    Clusters(Screen screen) {
        this.screen = screen;
    }

    ClusterConfig act(Optional<String> name) throws Failed {
        try {
            return ConfigFinder.find(screen.folder(), screen.environment(), name)
                    .orElseThrow(() -> missing(name));
        } catch (ConfigException e) {
            throw Failed.usage(e.getMessage());
        }
    }

    private Failed missing(Optional<String> name) {
        String file = "aux_data/aml/" + name.orElse("aml") + ".yaml";
        String foreign =
                ConfigPlaces.foreign(screen.folder(), screen.environment())
                        .map(files -> files + " belongs to another account and does not count; ")
                        .orElse("");
        String philly =
                PhillyConfig.shownFile(screen.folder(), screen.environment())
                        .map(shown -> shown + " counts for 'fairlead p' alone; ")
                        .orElse("");
        return Failed.usage(
                foreign
                        + philly
                        + "there is no "
                        + file
                        + " here; such a file says where code and data are, for example\n"
                        + "  engine: local\n"
                        + "  config_param:\n"
                        + "    code_path: {storage: 'file:/shared/me', path: code.zip}\n"
                        + "    data_folder: {storage: 'file:/shared/me', path: data}\n"
                        + "'fairlead clusters' shows the files that there are; docs/act.md says"
                        + " all their keys.");
    }

    /** The code's place is the same for all clusters of the file, so the first will do. */
    ClusterConfig philly(Optional<String> name) throws Failed {
        try {
            List<ClusterConfig> all =
                    PhillyConfig.find(screen.folder(), screen.environment())
                            .orElseThrow(
                                    () ->
                                            Failed.usage(
                                                    "there is no aux_data/configs/philly_vc.yaml"
                                                            + " here; docs/philly.md says what is"
                                                            + " in it"))
                            .clusters();
            return all.stream()
                    .filter(one -> name.isEmpty() || one.name().equals(name.get()))
                    .findFirst()
                    .orElseThrow(() -> Failed.usage("no cluster is called " + name.orElse("")));
        } catch (ConfigException e) {
            throw Failed.usage(e.getMessage());
        }
    }
}
