package fairlead.cli.act.assets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file {@code log_status.yaml} beside a job's logs: how the job stood when they were fetched,
 * and how far. It is replaced as a whole, so a call that breaks off leaves the last one.
 *
 * @param status in ACT's words
 * @param isFull whether nothing can come any more
 * @param attempt whose logs these are
 */
record LogStatus(String status, boolean isFull, int attempt, Map<String, TaskPart> tasks) {
    static final String NAME = "log_status.yaml";
    static final LogStatus NEW = new LogStatus("", false, 0, Map.of());

    private static final Pattern FIELD = Pattern.compile("(status|is_full|attempt): (\\w*)");
    private static final Pattern TASK =
            Pattern.compile(
                    "  ([\\w./-]+): \\{offset: (\\d{1,18}), open: (-?\\d{1,9}), files:"
                            + " \\{([^{}]*)}}");
    private static final Pattern FILE = Pattern.compile("([\\w.-]+): (\\d{1,18})");

    LogStatus {
        tasks = new TreeMap<>(tasks);
    }

    /** What cannot be understood counts as nothing: everything is then fetched again. */
    static LogStatus read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) return NEW;
        var fields = new LinkedHashMap<String, String>();
        var tasks = new TreeMap<String, TaskPart>();
        for (String line : Files.readAllLines(file)) {
            Matcher field = FIELD.matcher(line);
            Matcher task = TASK.matcher(line);
            if (field.matches()) fields.put(field.group(1), field.group(2));
            else if (task.matches()) tasks.put(task.group(1), part(task));
            else if (!line.equals("tasks:")) return NEW;
        }
        String attempt = fields.getOrDefault("attempt", "");
        if (!attempt.matches("\\d{1,9}")) return NEW;
        return new LogStatus(
                fields.getOrDefault("status", ""),
                fields.getOrDefault("is_full", "").equals("true"),
                Integer.parseInt(attempt),
                tasks);
    }

    private static TaskPart part(Matcher task) {
        var files = new TreeMap<String, Long>();
        Matcher file = FILE.matcher(task.group(4));
        while (file.find()) files.put(file.group(1), Long.valueOf(file.group(2)));
        return new TaskPart(Long.parseLong(task.group(2)), Integer.parseInt(task.group(3)), files);
    }

    void write(Path folder) throws IOException {
        var text = new StringBuilder();
        text.append("status: ").append(status).append('\n');
        text.append("is_full: ").append(isFull).append('\n');
        text.append("attempt: ").append(attempt).append("\ntasks:\n");
        tasks.forEach((task, part) -> append(text, task, part));
        Path fresh = folder.resolve(NAME + ".new");
        Files.writeString(fresh, text);
        Files.move(
                fresh,
                folder.resolve(NAME),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static void append(StringBuilder text, String task, TaskPart part) {
        text.append("  ").append(task).append(": {offset: ").append(part.offset());
        text.append(", open: ").append(part.open()).append(", files: {");
        String comma = "";
        for (var file : new TreeMap<>(part.files()).entrySet()) {
            text.append(comma).append(file.getKey()).append(": ").append(file.getValue());
            comma = ", ";
        }
        text.append("}}\n");
    }
}
