package fairlead.cli.act.assets;

import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Terminal;
import fairlead.dialects.act.config.ConfigPlaces;
import fairlead.dialects.act.log.LogErrors;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder with a folder for each job that was asked about: {@code ./assets}, or what the
 * variable AML_LOG_FOLDER says.
 */
public record AssetFolder(Path path) {
    static final String LOGS = "azureml-logs";

    /** Of the first task. */
    static final String PHILLY_LOG = "log.txt";

    private static final String VARIABLE = "AML_LOG_FOLDER";
    private static final Pattern RANK = Pattern.compile("70_driver_log_rank_(\\d{1,9})\\.txt");

    /** A hundred long lines are less. */
    private static final int END_BYTES_MAX = 2 * 1024 * 1024;

    /** A cause stands at the beginning of a log or at its end; the middle is hours of training. */
    private static final int SCANNED_BYTES_MAX = 4 * 1024 * 1024;

    /** With more ranks than this a cause is seen in one of the first, too. */
    private static final int SCANNED_FILES_MAX = 64;

    /** Longer lines are progress bars. */
    private static final int LINE_BYTES_MAX = 16 * 1024;

    /**
     * Beside the config files that count, so that 'init' leaves it out wherever 'query' is typed.
     */
    public static AssetFolder of(Terminal terminal) {
        String named = terminal.environment().getOrDefault(VARIABLE, "");
        Path top =
                named.isEmpty()
                        ? ConfigPlaces.root(terminal.folder(), terminal.environment())
                                .resolve("assets")
                        : terminal.folder().resolve(named);
        return new AssetFolder(top.normalize());
    }

    Path job(String id) throws Failure {
        boolean isName = id.matches("[A-Za-z0-9._-]+") && !id.startsWith(".");
        if (!isName) throw new Failure(ExitCode.REFUSED, "not an id that can name a folder: " + id);
        return path.resolve(id);
    }

    /** Folders of jobs whose ids end so, or who are called so. */
    public List<Path> of(String job) throws IOException {
        if (!Files.isDirectory(path)) return List.of();
        Predicate<String> isNamed =
                Pattern.compile(Pattern.quote(job) + "_[0-9]+_[0-9a-f]+").asMatchPredicate();
        Predicate<String> isMeant = id -> id.endsWith(job) || isNamed.test(id);
        try (Stream<Path> all = Files.list(path)) {
            return all.filter(folder -> isMeant.test(folder.getFileName().toString()))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList();
        }
    }

    /** The logs in a job's folder. */
    public List<Path> logsIn(Path job) throws IOException {
        Path act = job.resolve(LOGS);
        return logFiles(Files.isDirectory(act) ? act : job);
    }

    /** The job's status when its logs were fetched; empty where they go up to its end. */
    public static Optional<String> statusBeforeItsEnd(Path job) throws IOException {
        LogStatus known = LogStatus.read(job);
        boolean isWhole = known.isFull() || known.attempt() == 0;
        return isWhole ? Optional.empty() : Optional.of(known.status());
    }

    List<Path> logFiles(Path logs) throws IOException {
        if (!Files.isDirectory(logs)) return List.of();
        try (Stream<Path> all = Files.list(logs)) {
            return all.filter(file -> file.toString().endsWith(".txt"))
                    .sorted(Comparator.comparingInt(AssetFolder::rank).thenComparing(file -> file))
                    .toList();
        }
    }

    private static int rank(Path file) {
        if (file.endsWith(PHILLY_LOG)) return 0;
        Matcher rank = RANK.matcher(file.getFileName().toString());
        return rank.matches() ? Integer.parseInt(rank.group(1)) : Integer.MAX_VALUE;
    }

    /** The last lines of a file. */
    public static List<String> end(Path file, int lines) throws IOException {
        byte[] bytes;
        try (var access = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, access.length() - END_BYTES_MAX);
            bytes = new byte[(int) (access.length() - from)];
            access.seek(from);
            access.readFully(bytes);
        }
        if (bytes.length == 0) return List.of();
        List<String> all = List.of(new String(bytes, StandardCharsets.UTF_8).split("\n"));
        return all.subList(Math.max(0, all.size() - lines), all.size());
    }

    /** Looks through logs for what is known to end jobs. */
    public static LogErrors errors(List<Path> files) throws IOException {
        var errors = new LogErrors();
        for (Path file : files.subList(0, Math.min(files.size(), SCANNED_FILES_MAX))) {
            errors.begin(file.getFileName().toString());
            try (var access = new RandomAccessFile(file.toFile(), "r")) {
                long length = access.length();
                scan(access, Math.min(length, SCANNED_BYTES_MAX), errors);
                long from = Math.max(SCANNED_BYTES_MAX, length - SCANNED_BYTES_MAX);
                if (from >= length) continue;
                if (from > SCANNED_BYTES_MAX) errors.skip();
                access.seek(from);
                scan(access, length - from, errors);
            }
        }
        return errors;
    }

    private static void scan(RandomAccessFile file, long bytes, LogErrors errors)
            throws IOException {
        InputStream in = new BufferedInputStream(Channels.newInputStream(file.getChannel()));
        var line = new byte[LINE_BYTES_MAX];
        int length = 0;
        for (long left = bytes; left > 0; left--) {
            int b = in.read();
            if (b < 0) break;
            if (b != '\n' && length < LINE_BYTES_MAX) {
                line[length++] = (byte) b;
                continue;
            }
            errors.line(new String(line, 0, length, StandardCharsets.UTF_8));
            length = 0;
        }
        if (length > 0) errors.line(new String(line, 0, length, StandardCharsets.UTF_8));
    }

    /** What a person may read of several paths. */
    public static List<String> texts(List<Path> paths) {
        var texts = new ArrayList<String>();
        for (Path path : paths) texts.add(path.toString());
        return texts;
    }
}
