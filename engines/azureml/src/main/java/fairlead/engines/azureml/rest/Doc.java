package fairlead.engines.azureml.rest;

import com.azure.json.JsonProviders;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A part of a JSON document that somebody else wrote. What is missing, null or of another kind than
 * expected reads as nothing: answers have more fields, and fewer, than their specification.
 */
public record Doc(Object value) {
    public static final Doc NONE = new Doc(null);

    public static Doc parse(String text) throws IOException {
        try (var reader = JsonProviders.createReader(text)) {
            return new Doc(reader.readUntyped());
        }
    }

    /** Maps, lists, texts, numbers, booleans and null, as JSON. */
    public static String text(Object value) {
        var text = new StringWriter();
        try (var writer = JsonProviders.createWriter(text)) {
            writer.writeUntyped(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    public Doc at(String... path) {
        Object here = value;
        for (String key : path) {
            if (!(here instanceof Map<?, ?> map)) return NONE;
            here = map.get(key);
        }
        return here == null ? NONE : new Doc(here);
    }

    public List<Doc> list() {
        return value instanceof List<?> list ? list.stream().map(Doc::new).toList() : List.of();
    }

    public Map<?, ?> map() {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    /** Empty where there is no text. */
    public String text() {
        return value instanceof String text ? text : "";
    }

    public Optional<String> some() {
        return value instanceof String text && !text.isBlank()
                ? Optional.of(text)
                : Optional.empty();
    }

    /** Zero where there is no number. */
    public int number() {
        return value instanceof Number number ? number.intValue() : 0;
    }
}
