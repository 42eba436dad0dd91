package fairlead.server;

import fairlead.api.client.HomeFolder;
import fairlead.wire.Json;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * The server's log: one JSON object a line, in a file that is turned over when it is full. A log
 * that cannot be written stops nothing. Any thread.
 */
final class JsonLog extends Handler {
    private static final long FILE_BYTES_MAX = 10L << 20;
    private static final int FILES_MAX = 5;

    /** Enough of a stack to find a bug; a stack overflow has thousands of lines. */
    private static final int STACK_CHARS_MAX = 16 * 1024;

    /** Held here: a logger that nobody holds is forgotten with its level. */
    private static final Logger LIBRARIES = Logger.getLogger("io.helidon");

    /** It logs each try to reach a cluster, with its stack; the engine says it once. */
    private static final Logger KUBERNETES = Logger.getLogger("io.fabric8");

    private final Path file;
    private final long fileBytesMax;
    private final Formatter messages = new SimpleFormatter();
    private OutputStream out;
    private long size;
    private boolean isBroken;
    private Optional<PrintStream> also = Optional.empty();

    JsonLog(Path file, long fileBytesMax) throws IOException {
        this.file = file;
        this.fileBytesMax = fileBytesMax;
        open();
    }

    /**
     * Sends everything that this process logs to the file, and nothing anywhere else.
     *
     * @param isTwice whether it also goes to the standard output, where a container's log is read
     */
    static JsonLog begin(Path file, boolean isTwice) throws IOException {
        var log = new JsonLog(file, FILE_BYTES_MAX);
        if (isTwice) log.also(System.out);
        LogManager.getLogManager().reset();
        var root = Logger.getLogger("");
        root.setLevel(Level.INFO);
        root.addHandler(log);
        LIBRARIES.setLevel(Level.WARNING);
        KUBERNETES.setLevel(Level.SEVERE);
        return log;
    }

    void also(PrintStream other) {
        also = Optional.of(other);
    }

    private void open() throws IOException {
        var channel = HomeFolder.open(file, StandardOpenOption.APPEND);
        out = Channels.newOutputStream(channel);
        size = Files.size(file);
    }

    /** Writes past java.util.logging, which closes itself before the process has ended. */
    void say(Level level, String message, Throwable thrown) {
        var record = new LogRecord(level, message);
        record.setLoggerName(Main.class.getName());
        record.setThrown(thrown);
        publish(record);
    }

    @Override
    public void publish(LogRecord record) {
        if (!isLoggable(record)) return;
        byte[] line = (Json.write(fields(record)) + "\n").getBytes(StandardCharsets.UTF_8);
        write(line);
    }

    private Map<String, Object> fields(LogRecord record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("at", record.getInstant().toString());
        fields.put("level", record.getLevel().getName());
        fields.put("logger", String.valueOf(record.getLoggerName()));
        fields.put("message", messages.formatMessage(record));
        if (record.getThrown() != null) fields.put("stack", stack(record.getThrown()));
        return fields;
    }

    private static String stack(Throwable thrown) {
        var text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        String whole = text.toString();
        return whole.length() <= STACK_CHARS_MAX ? whole : whole.substring(0, STACK_CHARS_MAX);
    }

    private synchronized void write(byte[] line) {
        // A stream of this kind never throws.
        also.ifPresent(
                other -> {
                    other.write(line, 0, line.length);
                    other.flush();
                });
        try {
            if (size > 0 && size + line.length > fileBytesMax) turnOver();
            out.write(line);
            size += line.length;
            isBroken = false;
        } catch (IOException failure) {
            if (!isBroken) System.err.println("the log cannot be written: " + failure.getMessage());
            isBroken = true;
        }
    }

    private void turnOver() throws IOException {
        out.close();
        for (int i = FILES_MAX - 1; i > 0; i--) {
            Path older = i == 1 ? file : numbered(i - 1);
            if (Files.exists(older))
                Files.move(older, numbered(i), StandardCopyOption.REPLACE_EXISTING);
        }
        open();
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    @Override
    public void flush() {}

    /** Stays open: the end of a process is worth logging, and the system closes the file then. */
    @Override
    public void close() {}
}
