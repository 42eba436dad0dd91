package fairlead.dialects.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value of a config file that knows where it stands, also after one file was laid over another.
 */
public sealed interface Value {
    /** Where its key stands; for an element of a list where it begins. */
    Spot spot();

    /**
     * A text, a number or a truth, as written.
     *
     * @param isNull written as {@code null}, {@code ~} or nothing at all
     */
    record Scalar(Spot spot, String text, boolean isNull) implements Value {}

    record Sequence(Spot spot, List<Value> elements) implements Value {}

    record Block(Spot spot, Map<String, Value> fields) implements Value {
        /** This one with another over it: blocks are joined, everything else is replaced. */
        Block under(Block other) {
            var joined = new LinkedHashMap<>(fields);
            other.fields.forEach(
                    (key, value) ->
                            joined.merge(
                                    key,
                                    value,
                                    (below, above) ->
                                            below instanceof Block lower
                                                            && above instanceof Block upper
                                                    ? lower.under(upper)
                                                    : above));
            return new Block(other.spot, joined);
        }
    }
}
