package fairlead.server.snapshot;

import fairlead.job.Job;
import fairlead.job.Profile;
import fairlead.job.Setup;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names for scripts that tell which are the same, and nothing else: a policy asks no more, and a
 * snapshot shall have nobody's command. The same jobs in the same order get the same names.
 */
final class Aliases {
    /** As it stands between the scripts of several neighbours. */
    private static final String SEPARATOR = " + ";

    private final Map<String, String> commands = new HashMap<>();

    /** What a script is called once its job has been read again. */
    private final Map<String, String> scripts = new HashMap<>();

    Aliases(List<Job> jobs) {
        for (Job job : jobs) {
            String script = job.script();
            if (commands.containsKey(script)) continue;
            String command = "script" + (commands.size() + 1);
            commands.put(script, command);
            scripts.put(script, job.spec().script(List.of(command)));
        }
    }

    String command(Job job) {
        return commands.get(job.script());
    }

    Profile profile(Profile profile) {
        var speeds = new TreeMap<Setup, Profile.Speed>();
        profile.speeds()
                .forEach(
                        (setup, speed) ->
                                speeds.put(
                                        setup.isShared()
                                                ? new Setup(
                                                        setup.tasks(),
                                                        setup.gpus(),
                                                        beside(setup.beside()))
                                                : setup,
                                        speed));
        return new Profile(speeds, profile.memoryBytes());
    }

    /** For several scripts as well; one that no job of the snapshot has gets a name of its own. */
    private String beside(String text) {
        return Stream.of(text.split(Pattern.quote(SEPARATOR)))
                .map(each -> scripts.computeIfAbsent(each, _ -> "other" + scripts.size()))
                .sorted()
                .collect(Collectors.joining(SEPARATOR));
    }
}
