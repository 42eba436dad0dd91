package fairlead.engines.yarn.keeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engines.yarn.relay.Call;
import fairlead.engines.yarn.relay.Frame;
import fairlead.engines.yarn.relay.RefusedException;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command beside the task, for somebody who is connected. It ends with the connection. */
final class Exec {
    private static final int BUFFER_BYTES = 32 << 10;

    /** Its terminal's size comes first; its name is noted, by which the size is changed later. */
    private static final String ON_TERMINAL =
            "tty >\"$1\"; stty rows \"$2\" cols \"$3\"; TERM=$4; export TERM; shift 4; exec \"$@\"";

    /** What the command has left running may keep its output open. */
    private static final long OUTPUT_MILLIS_MAX = 500;

    private final Call call;
    private final Process process;
    private final Path terminal;

    private Exec(Call call, Process process, Path terminal) {
        this.call = call;
        this.process = process;
        this.terminal = terminal;
    }

    /**
     * @param words rows, columns and kind of the terminal, empty for none; then the command
     */
    static void serve(Task task, List<String> words, Call call)
            throws IOException, InterruptedException {
        List<String> command = words.subList(3, words.size());
        boolean hasTerminal = !words.get(0).isEmpty();
        Path terminal = hasTerminal ? Files.createTempFile("fairlead", ".tty") : null;
        Process process;
        try {
            process =
                    hasTerminal
                            ? onTerminal(task, terminal, words, command)
                            : task.builder(command).start();
        } catch (IOException problem) {
            throw new RefusedException(String.valueOf(problem.getMessage()));
        }
        call.accept();
        try {
            new Exec(call, process, terminal).serve();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            if (terminal != null) Files.deleteIfExists(terminal);
        }
    }

    /** The program script of util-linux has a terminal for anyone. */
    private static Process onTerminal(
            Task task, Path terminal, List<String> words, List<String> command) throws IOException {
        var line = new StringBuilder("exec sh -c " + quoted(ON_TERMINAL) + " sh");
        line.append(' ').append(quoted(terminal.toString()));
        for (String word : words.subList(0, 3)) line.append(' ').append(quoted(word));
        for (String word : command) line.append(' ').append(quoted(word));
        return task.builder(List.of("script", "-qefc", line.toString(), "/dev/null")).start();
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    private void serve() throws IOException, InterruptedException {
        Thread input = thread(this::takeInput);
        Thread output = thread(() -> send(process.getInputStream(), Frame.OUTPUT));
        Thread errors = thread(() -> send(process.getErrorStream(), Frame.ERRORS));
        int code = process.waitFor();
        output.join(OUTPUT_MILLIS_MAX);
        errors.join(OUTPUT_MILLIS_MAX);
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(code).array();
        Frame.write(call.out(), Frame.EXIT, bytes, bytes.length);
        call.endOutput();
        // The other side closes when it has read the code.
        input.join(OUTPUT_MILLIS_MAX);
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "exec");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void send(InputStream from, byte kind) {
        var buffer = new byte[BUFFER_BYTES];
        try {
            int length = from.read(buffer);
            while (length >= 0) {
                Frame.write(call.out(), kind, buffer, length);
                length = from.read(buffer);
            }
        } catch (IOException gone) {
            process.destroyForcibly();
        }
    }

    private void takeInput() {
        var to = process.getOutputStream();
        try {
            while (true) {
                Frame frame = Frame.read(call.in());
                if (frame.kind() == Frame.SIZE) {
                    resize(ByteBuffer.wrap(frame.bytes()));
                } else if (frame.bytes().length == 0) {
                    if (terminal == null) to.close();
                } else {
                    write(to, frame.bytes());
                }
            }
        } catch (IOException gone) {
            // Who asked for the command has gone, and so it ends.
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** A command that does not read its input goes on without it. */
    private static void write(OutputStream to, byte[] bytes) {
        try {
            to.write(bytes);
            to.flush();
        } catch (IOException closed) {
            // As a pipe whose reader has gone.
        }
    }

    private void resize(ByteBuffer size) throws IOException {
        if (terminal == null) return;
        String name = Files.readString(terminal, UTF_8).strip();
        if (!name.startsWith("/dev/")) return;
        var stty =
                new ProcessBuilder(
                                "stty",
                                "-F",
                                name,
                                "rows",
                                Short.toString(size.getShort()),
                                "cols",
                                Short.toString(size.getShort()))
                        .start();
        try {
            stty.waitFor(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
