package fairlead.transfer;

import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.ConfigPlaces;
import fairlead.dialects.philly.PhillyConfig;
import fairlead.dialects.yaml.ConfigException;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the config file that a call is about. */
final class Clusters {
    private final Screen screen;

    Clusters(Screen screen) {
        this.screen = screen;
    }

    /** The one that {@code -c} names, or the usual one. */
    ClusterConfig act(Optional<String> name) throws Failed {
        return act("-c", name);
    }

    /**
     * @param option what the user has typed before the name
     */
    ClusterConfig act(String option, Optional<String> name) throws Failed {
        try {
            return ConfigFinder.find(screen.folder(), screen.environment(), name)
                    .orElseThrow(() -> missing(option, name));
        } catch (ConfigException e) {
            throw Failed.usage(e.getMessage());
        }
    }

    private Failed missing(String option, Optional<String> name) {
        Path folder = screen.folder();
        Map<String, String> environment = screen.environment();
        if (name.isEmpty() && ConfigPlaces.isOff(environment)) {
            return Failed.usage(
                    ConfigPlaces.VARIABLE
                            + " is empty, so no config file counts but one that -c names");
        }
        String none = "there is no " + ConfigFinder.shown(name.orElse("aml")) + " here";
        Optional<String> spelling =
                name.flatMap(one -> ConfigFinder.spelling(folder, environment, option, one));
        if (spelling.isPresent()) return Failed.usage(none + ": " + spelling.get());
        String choice = ConfigFinder.choice(folder, environment);
        String foreign =
                ConfigPlaces.foreign(folder, environment)
                        .map(files -> files + " belongs to another account and does not count; ")
                        .orElse("");
        // Where there are files of ACT, Philly's is meant only by the name of a cluster.
        Optional<Path> philly =
                name.isPresent() && !choice.isEmpty()
                        ? PhillyConfig.shownFile(folder, environment, name.get())
                        : PhillyConfig.shownFile(folder, environment).filter(_ -> choice.isEmpty());
        String alone = philly.map(file -> file + " counts for 'fairlead p' alone; ").orElse("");
        if (!choice.isEmpty())
            return Failed.usage(alone + none + "; " + option + " may be " + choice);
        return Failed.usage(
                foreign
                        + alone
                        + none
                        + "; such a file says where code and data are, for example\n"
                        + "  engine: local\n"
                        + "  config_param:\n"
                        + "    code_path: {storage: 'file:/shared/me', path: code.zip}\n"
                        + "    data_folder: {storage: 'file:/shared/me', path: data}\n"
                        + "'fairlead clusters' shows the files that there are; docs/act.md says"
                        + " all their keys.");
    }

    private static String names(List<ClusterConfig> all) {
        return String.join(", ", all.stream().map(ClusterConfig::name).toList());
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
                    .orElseThrow(
                            () ->
                                    Failed.usage(
                                            "aux_data/configs names no cluster '%s', only %s"
                                                    .formatted(name.orElse(""), names(all))));
        } catch (ConfigException e) {
            throw Failed.usage(e.getMessage());
        }
    }
}
