package fairlead.engines.yarn.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Texts, lists and maps on a stream. Everything that is read has a bound. */
final class Fields {
    /** A job's environment or command line is far below it. */
    private static final int TEXT_BYTES_MAX = 16 << 20;

    private static final int COUNT_MAX = 1_000_000;

    private Fields() {}

    static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static String text(DataInputStream in) throws IOException {
        byte[] bytes = new byte[length(in, TEXT_BYTES_MAX)];
        in.readFully(bytes);
        return new String(bytes, UTF_8);
    }

    static void write(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) write(out, text);
    }

    static List<String> texts(DataInputStream in) throws IOException {
        int count = count(in);
        var texts = new ArrayList<String>();
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            String text = text(in);
            bytes += text.length();
            if (bytes > TEXT_BYTES_MAX) throw new IOException("a list of texts is too long");
            texts.add(text);
        }
        return texts;
    }

    static void write(DataOutputStream out, Map<String, String> map) throws IOException {
        var flat = new ArrayList<String>();
        map.forEach(
                (name, value) -> {
                    flat.add(name);
                    flat.add(value);
                });
        write(out, flat);
    }

    static Map<String, String> map(DataInputStream in) throws IOException {
        var map = new LinkedHashMap<String, String>();
        List<String> flat = texts(in);
        for (int i = 0; i + 1 < flat.size(); i += 2) map.put(flat.get(i), flat.get(i + 1));
        return map;
    }

    static int count(DataInputStream in) throws IOException {
        return length(in, COUNT_MAX);
    }

    private static int length(DataInputStream in, int max) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > max) throw new IOException("a length of " + length);
        return length;
    }
}
