package fairlead.wire;

import fairlead.api.words.Amounts;
import fairlead.job.SpecException;

import java.time.Duration;
import java.util.function.Function;

/** Durations and sizes of a spec; what cannot be read is a mistake in its field. */
public final class Units {
    private Units() {}

    public static Duration duration(String text, String field) {
        return read(text, field, Amounts::duration);
    }

    public static long bytes(String text, String field) {
        return read(text, field, Amounts::bytes);
    }

    private static <T> T read(String text, String field, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new SpecException(field, e.getMessage());
        }
    }

    public static String text(Duration duration) {
        return Amounts.text(duration);
    }

    public static String text(long bytes) {
        return Amounts.text(bytes);
    }
}
