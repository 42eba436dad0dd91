package fairlead.dialects.act.config;

import fairlead.dialects.yaml.Section;
import fairlead.dialects.yaml.Value;

import java.util.List;
import java.util.Optional;

/** The key {@code engine}, which is our own: it says where the cluster of a config file is. */
public final class EngineKey {
    public static final String KEY = "engine";

    /** Both mean that no cluster of ours is meant. */
    private static final List<String> AZURE = List.of("azureml", "aml");

    private EngineKey() {}

    /** Of a cluster or of a project. */
    public static boolean isName(String text) {
        return text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    }

    /** Empty for Azure ML, which a file without the key means. */
    public static Optional<Target> of(Section section) {
        return of(section, KEY);
    }

    /** The same under another key, for the mapping of a Philly file. */
    public static Optional<Target> of(Section section, String key) {
        Value value = section.value(key).orElse(null);
        return switch (value) {
            case null -> Optional.empty();
            case Value.Block _ -> inner(section.section(key).orElseThrow());
            case Value.Scalar _ ->
                    named(section, key)
                            .map(name -> new Target(name, Optional.empty(), section.spot(key)));
            case Value.Sequence _ -> {
                section.mistake(key, "must be the name of one cluster");
                yield Optional.empty();
            }
        };
    }

    private static Optional<Target> inner(Section section) {
        section.warnUnknown(List.of("cluster", "project"));
        if (section.needed("cluster").isEmpty()) return Optional.empty();
        Optional<String> project = name(section, "project");
        return named(section, "cluster")
                .map(name -> new Target(name, project, section.spot("cluster")));
    }

    /** A cluster's name; empty for the words of Azure. */
    private static Optional<String> named(Section section, String key) {
        return name(section, key).filter(name -> !AZURE.contains(name));
    }

    private static Optional<String> name(Section section, String key) {
        Optional<String> name = section.text(key);
        if (name.isEmpty() || isName(name.get())) return name;
        section.mistake(
                key,
                "must be a name, such as local; 'fairlead clusters' shows those of the server");
        return Optional.empty();
    }
}
