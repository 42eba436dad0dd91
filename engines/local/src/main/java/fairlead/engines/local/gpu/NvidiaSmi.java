package fairlead.engines.local.gpu;

import fairlead.cluster.Gpu;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tool nvidia-smi, for machines whose driver library we cannot load or that is too old. It
 * takes tens of milliseconds for each question.
 */
public record NvidiaSmi(Path program) implements GpuReader {
    private static final List<Path> USUAL_PLACES =
            List.of(Path.of("/usr/bin/nvidia-smi"), Path.of("/usr/local/bin/nvidia-smi"));

    /** A driver in trouble lets it hang. */
    private static final long SECONDS_MAX = 5;

    /** Thousands of lines; also what a pipe holds, so the tool never waits for us to read. */
    private static final int OUTPUT_BYTES_MAX = 64 << 10;

    private static final int MIB_SHIFT = 20;

    private static final Pattern GPU = Pattern.compile("(\\d{1,9}), (.+), (\\d{1,9}|\\[.*])");

    /** Where the driver does not report the memory, it says so in brackets. */
    private static final Pattern PROCESS = Pattern.compile("(\\d{1,9}), (\\S+), (\\d{1,9})");

    private static final Pattern LOAD =
            Pattern.compile("(\\d{1,9}), (\\d{1,3}|\\[.*?]), (\\d{1,9}|\\[.*?])");

    static Optional<GpuReader> find() {
        return USUAL_PLACES.stream()
                .filter(Files::isExecutable)
                .findFirst()
                .map(program -> new NvidiaSmi(program));
    }

    @Override
    public List<Gpu> gpus() throws IOException {
        return ask("--query-gpu=index,name,memory.total", GPU).stream()
                .map(line -> new Gpu(number(line, 1), line.group(2), memory(line.group(3))))
                .toList();
    }

    @Override
    public List<Use> processes() throws IOException {
        return ask("--query-compute-apps=pid,gpu_uuid,used_memory", PROCESS).stream()
                .map(line -> new Use(number(line, 1), line.group(2), memory(line.group(3))))
                .toList();
    }

    @Override
    public List<Load> loads() throws IOException {
        return ask("--query-gpu=index,utilization.gpu,memory.used", LOAD).stream()
                .map(
                        line ->
                                new Load(
                                        number(line, 1),
                                        percent(line.group(2)),
                                        bytes(line.group(3))))
                .toList();
    }

    private static OptionalInt percent(String text) {
        return text.startsWith("[") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
    }

    private static OptionalLong bytes(String text) {
        return text.startsWith("[") ? OptionalLong.empty() : OptionalLong.of(memory(text));
    }

    private static int number(Matcher line, int group) {
        return Integer.parseInt(line.group(group));
    }

    private static long memory(String text) {
        return text.startsWith("[") ? 0 : Long.parseLong(text) << MIB_SHIFT;
    }

    private List<Matcher> ask(String question, Pattern form) throws IOException {
        var builder =
                new ProcessBuilder(program.toString(), question, "--format=csv,noheader,nounits");
        var process = builder.redirectErrorStream(true).start();
        try (var output = process.getInputStream()) {
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IOException(program + " took more than " + SECONDS_MAX + " s");
            }
            String text = new String(output.readNBytes(OUTPUT_BYTES_MAX), StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(program + ": " + text.lines().findFirst().orElse(""));
            }
            var lines = new ArrayList<Matcher>();
            for (String line : text.lines().toList()) {
                var match = form.matcher(line.strip());
                if (match.matches()) lines.add(match);
            }
            return lines;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IOException(program + " was interrupted");
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {}
}
