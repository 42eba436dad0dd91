package fairlead.dialects.act;

import fairlead.dialects.yaml.BoundedYaml;

import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parameters that users of ACT hand to their program as one word, {@code -bp} and the Base64 of
 * a YAML text.
 *
 * @param all as the YAML says
 */
public record CommandParameters(Map<?, ?> all) {
    private static final Pattern WORD =
            Pattern.compile("(?:^|\\s)-bp\\s+([A-Za-z0-9+/=]+)(?:\\s|$)");

    /** Empty for a command that hands over none, or some that cannot be read. */
    public static Optional<CommandParameters> of(String command) {
        Matcher word = WORD.matcher(command);
        if (!word.find()) return Optional.empty();
        try {
            byte[] yaml = Base64.getDecoder().decode(word.group(1));
            String text = new String(yaml, StandardCharsets.UTF_8);
            var settings = LoadSettings.builder().build();
            BoundedYaml.check(settings, text);
            Object all = new Load(settings).loadFromString(text);
            return all instanceof Map<?, ?> map
                    ? Optional.of(new CommandParameters(map))
                    : Optional.empty();
        } catch (IllegalArgumentException | YamlEngineException _) {
            return Optional.empty();
        }
    }

    /** What the experiment is about, such as its {@code data}, {@code net} and {@code expid}. */
    public Optional<String> about(String name) {
        Object value = all.get("param") instanceof Map<?, ?> inner ? inner.get(name) : null;
        if (value == null) value = all.get(name);
        boolean isPlain = value instanceof String || value instanceof Number;
        return isPlain ? Optional.of(value.toString()) : Optional.empty();
    }

    /** The folder of its results: as said, or else data, net and experiment where all are said. */
    public Optional<String> fullExperiment() {
        Optional<String> said = about("full_expid");
        if (said.isPresent()) return said;
        Optional<String> data = about("data");
        Optional<String> net = about("net");
        Optional<String> experiment = about("expid");
        if (data.isEmpty() || net.isEmpty() || experiment.isEmpty()) return Optional.empty();
        return Optional.of(data.get() + "_" + net.get() + "_" + experiment.get());
    }
}
