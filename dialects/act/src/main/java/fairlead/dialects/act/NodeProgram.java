package fairlead.dialects.act;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * The program that prepares a node for an ACT job and runs its command: Python, of its standard
 * library alone. It travels in a variable, so it is on every engine and in every image that has
 * {@code python3}; no file is laid anywhere.
 */
public final class NodeProgram {
    /** The variable with the program. */
    public static final String VARIABLE = "FAIRLEAD_ACT_RUNNER";

    /** The label of the port at which the tasks of a job with ranks meet. */
    public static final String PORT = "act";

    /** Starts the others. */
    private static final String BOOT = "boot";

    /** In the order in which they need each other. */
    private static final List<String> PARTS =
            List.of(
                    "blobs",
                    "processes",
                    "unpack",
                    "mounts",
                    "meeting",
                    "lines",
                    "ranks",
                    "runner");

    private NodeProgram() {}

    /** What a task runs so that the command runs on a node that is ready for it. */
    public static List<String> around(List<String> command) {
        var words = new ArrayList<>(List.of("python3", "-c", source(BOOT), "run"));
        words.addAll(command);
        return words;
    }

    /** A line for a shell on the node that goes to the code of an attempt, where that is there. */
    public static String toCode(String job, int attempt) {
        String[] names = job.split("_");
        String tail =
                String.join(
                        "_", List.of(names).subList(Math.max(0, names.length - 2), names.length));
        return "cd \"${TMPDIR:-/tmp}/fairlead-act-$(id -u)/"
                + tail
                + "-"
                + attempt
                + "/code\" 2>/dev/null";
    }

    /** What {@link #VARIABLE} says: the parts as JSON, compressed, in letters. */
    public static String text() {
        var json = new JsonText();
        PARTS.forEach(part -> json.text(part, source(part)));
        json.text(BOOT, source(BOOT));
        var bytes = new ByteArrayOutputStream();
        var deflater = new Deflater(Deflater.BEST_COMPRESSION);
        try (var out = new DeflaterOutputStream(bytes, deflater)) {
            out.write(json.done().getBytes(UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            deflater.end();
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static String source(String part) {
        try (InputStream in = NodeProgram.class.getResourceAsStream(part + ".py")) {
            if (in == null) throw new IllegalStateException("there is no " + part + ".py");
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
