package fairlead.cli.verb;

import fairlead.cli.Session;
import fairlead.dialects.act.ConfigException;
import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.FoundConfig;
import fairlead.dialects.act.PhillyConfig;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The config files of ACT and Philly in the folder of a session. */
final class ConfigFiles {
    private ConfigFiles() {}

    /** All of them; those of Philly at the end, one for each of its clusters. */
    static List<FoundConfig> all(Session session) throws IOException {
        Path folder = session.terminal().folder();
        Map<String, String> environment = session.terminal().environment();
        var found = new ArrayList<>(ConfigFinder.all(folder, environment));
        Path file = PhillyConfig.shownFile(folder, environment).orElse(null);
        if (file == null) return found;
        try {
            PhillyConfig philly = PhillyConfig.find(folder, environment).orElseThrow();
            for (var cluster : philly.clusters()) {
                found.add(
                        new FoundConfig(
                                cluster.name(), file, false, Optional.of(cluster), List.of()));
            }
        } catch (ConfigException e) {
            found.add(new FoundConfig("philly", file, false, Optional.empty(), e.problems()));
        }
        return found;
    }
}
