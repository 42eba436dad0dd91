package fairlead.cli.act;

import fairlead.cli.line.Session;
import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.FoundConfig;
import fairlead.dialects.philly.PhillyConfig;
import fairlead.dialects.yaml.ConfigException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The config files of ACT and Philly in the folder of a session. */
public final class ConfigFiles {
    private ConfigFiles() {}

    /** All of them; those of Philly at the end, one for each of its clusters. */
    public static List<FoundConfig> all(Session session) throws IOException {
        Path folder = session.terminal().folder();
        Map<String, String> environment = session.terminal().environment();
        var found = new ArrayList<>(ConfigFinder.all(folder, environment));
        Path file = PhillyConfig.shownFile(folder, environment).orElse(null);
        if (file == null) return found;
        try {
            PhillyConfig philly = PhillyConfig.find(folder, environment).orElseThrow();
            for (var cluster : philly.clusters()) {
                found.add(FoundConfig.good(cluster.name(), file, false, cluster));
            }
        } catch (ConfigException e) {
            var targets = PhillyConfig.targets(folder, environment);
            found.add(FoundConfig.bad("philly", file, false, targets, e));
        }
        return found;
    }
}
