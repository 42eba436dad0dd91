package fairlead.dialects.act;

import fairlead.api.json.BadBody;
import fairlead.api.json.StrictReader;
import fairlead.dialects.act.config.AzureMl;
import fairlead.dialects.yaml.Reading;
import fairlead.dialects.yaml.Section;
import fairlead.dialects.yaml.Spot;
import fairlead.dialects.yaml.Value;
import fairlead.dialects.yaml.YamlFile;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The key {@code aml_config}: a JSON file that names a workspace of Azure ML, or the same inline.
 */
final class Workspace {
    static final String KEY = "aml_config";

    private static final List<String> NEEDED =
            List.of("subscription_id", "resource_group", "workspace_name");
    private static final Pattern LINE = Pattern.compile("at line (\\d{1,9})");

    private final Reading reading;

    Workspace(Reading reading) {
        this.reading = reading;
    }

    /** Empty where it is not known, which is then told. */
    Optional<AzureMl.Workspace> of(Section config) {
        Value value = config.value(KEY).orElse(null);
        if (value instanceof Value.Block) {
            Section section = config.section(KEY).orElseThrow();
            var fields = new LinkedHashMap<String, String>();
            for (String key : NEEDED) section.needed(key).ifPresent(it -> fields.put(key, it));
            return whole(fields);
        }
        String name = config.needed(KEY).orElse(null);
        if (name == null) return Optional.empty();
        Path file;
        try {
            file = reading.resolve(name);
        } catch (InvalidPathException _) {
            config.mistake(KEY, "is no path");
            return Optional.empty();
        }
        return YamlFile.text(reading, file, config.spot(KEY))
                .flatMap(text -> ofJson(text, reading.shown(file)));
    }

    private static Optional<AzureMl.Workspace> whole(Map<String, String> fields) {
        if (!fields.keySet().containsAll(NEEDED)) return Optional.empty();
        return Optional.of(
                new AzureMl.Workspace(
                        fields.get(NEEDED.get(0)),
                        fields.get(NEEDED.get(1)),
                        fields.get(NEEDED.get(2))));
    }

    private Optional<AzureMl.Workspace> ofJson(String text, Path file) {
        var fields = new LinkedHashMap<String, String>();
        try {
            read(text, fields);
        } catch (BadBody e) {
            Matcher line = LINE.matcher(e.getMessage());
            int at = line.find() ? Integer.parseInt(line.group(1)) : line(text, e.field());
            reading.mistake(new Spot(file, at), e.getMessage());
            return Optional.empty();
        }
        for (String key : NEEDED) {
            if (fields.getOrDefault(key, "").isBlank()) {
                reading.mistake(new Spot(file, line(text, Optional.of(key))), key + " is missing");
            }
        }
        return whole(fields);
    }

    private static void read(String text, Map<String, String> fields) {
        var reader = new StrictReader(text);
        reader.beginObject();
        while (reader.hasNextField()) {
            String key = reader.nextField();
            if (NEEDED.contains(key)) fields.put(key, reader.readString());
            else reader.skipValue();
        }
        reader.endObject();
        reader.expectEnd();
    }

    /** The line on which the field stands, or the first. */
    private static int line(String text, Optional<String> field) {
        int at = field.isEmpty() ? -1 : text.indexOf('"' + field.get() + '"');
        if (at < 0) return 1;
        return 1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
    }
}
