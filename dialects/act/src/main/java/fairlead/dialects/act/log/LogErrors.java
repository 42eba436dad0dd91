package fairlead.dialects.act.log;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The known causes of failures that the lines of a job's logs show, by the codes of ACT. It is
 * given one file after the other, line by line, and keeps no more than the last hundred lines. Not
 * thread-safe.
 */
public final class LogErrors {
    /**
     * A code, and where the first line is that shows it.
     *
     * @param line 0 where lines before it were left out
     */
    public record Sight(String code, String file, long line, String text) {}

    /** A text in a line, and the code that it means. */
    private record Sign(String text, String code) {}

    private static final List<Sign> SIGNS =
            List.of(
                    new Sign("unzip:  cannot find or open", "CodeNotAvail"),
                    // The program on the node, which has no need of unzip.
                    new Sign("fairlead: the code is not available", "CodeNotAvail"),
                    new Sign("Got async event : local catastrophic error", "IBError"),
                    new Sign("Output size is too small", "InputSmall"),
                    new Sign("RuntimeError: CUDA driver initialization failed", "Init"),
                    new Sign("cuda runtime error (3) : initialization error", "Init"),
                    new Sign(
                            "FileNotFoundError: [Errno 2] No such file or directory",
                            "FileNotFound"),
                    new Sign("Signal code: Address not mapped", "before"),
                    new Sign(
                            "RuntimeError: cuda runtime error (3) : initialization error at",
                            "init"),
                    new Sign("raise RuntimeError('NaN encountered!')", "NaN"),
                    new Sign("ValueError: regression_loss is NaN", "RegNaN"),
                    new Sign("ORTE has lost communication with a remote daemon", "ORTE_comm"),
                    new Sign("No module named", "ModuleErr"),
                    new Sign("copy_if failed to synchronize", "copy_if"),
                    new Sign("RuntimeError: connect() timed out", "connect"),
                    new Sign("unhandled cuda error", "cuda"),
                    new Sign("CUDA error", "cuda"),
                    new Sign("ECC error", "ECC"),
                    new Sign("ErrorCode:BlockCountExceedsLimit", "BlobThrottle"),
                    new Sign("Error response from daemon", "daemon"),
                    new Sign("OSError: [Errno 5] Input/output error", "blobIO"),
                    new Sign("OSError: [Errno 24] Too many open files", "TooMany"),
                    // Also where the program on the node says it, which has no "OSError: " before.
                    new Sign("[Errno 28] No space left on device", "NoSpace"),
                    new Sign("[Errno 122] Disk quota exceeded", "NoSpace"),
                    new Sign("not enough space on this node: ", "NoSpace"),
                    new Sign("RuntimeError: DataLoader worker", "Loader"),
                    new Sign("Watchdog caught collective operation timeout", "NCCLTimeout"),
                    new Sign("ncclSystemError: System call (socket, malloc", "NCCLSocket"),
                    new Sign("NCCL WARN Call to ibv_modify_qp failed", "IBVModifyQP"),
                    new Sign("Attempted loss scale: 1, reducing to 1", "DSNaN"));

    /** They mean a bad start where the processes were about to meet for the first time. */
    private static final List<String> COMMUNICATION =
            List.of(
                    "NCCL error in",
                    "RuntimeError: CUDA error: misaligned address",
                    "RuntimeError: Connection reset by peer",
                    "CUDA error: all CUDA-capable devices");

    /** The second is how newer versions of PyTorch say it. */
    private static final List<String> OUT_OF_MEMORY =
            List.of(
                    "RuntimeError: CUDA out of memory",
                    "OutOfMemoryError: CUDA out of memory",
                    "CUDA error: out of memory");

    private static final String MEETING = "_default_pg.barrier()";
    private static final String ANY_MEETING = "barrier()";
    private static final String ILLEGAL_ACCESS = "an illegal memory access was encountered";
    private static final String WAITING = "has not done sshd setup wait";

    /** A job waits for its neighbours at every start; so many lines are no start any more. */
    private static final int WAITING_LINES_MAX = 1_000;

    /** Samples with all GPUs at 100 percent: real training looks elsewhere now and then. */
    private static final int BUSY_SAMPLES_MAX = 128;

    /** A Python traceback with its frames is shorter. */
    private static final int LINES_BACK = 100;

    /** What a person reads of a line. */
    private static final int SHOWN_CHARACTERS_MAX = 300;

    /** ACT submits a job again when it failed for one of these. */
    private static final Set<String> RETRIABLE =
            Set.of(
                    "ECC",
                    "init_access",
                    "waiting",
                    "Init",
                    "before",
                    "ORTE_comm",
                    "init",
                    "blobIO",
                    "NoSpace",
                    "NCCLTimeout",
                    "NCCLSocket",
                    "IBVModifyQP");

    private final Map<String, Sight> sights = new LinkedHashMap<>();
    private final Deque<String> back = new ArrayDeque<>();
    private String file = "";
    private long line;
    private boolean isCounted = true;
    private int waiting;
    private int busySamples;

    /** Whether the same job may well succeed when it is submitted once more. */
    public static boolean isRetriable(String code) {
        return RETRIABLE.contains(code);
    }

    /** The lines from here on are another file's. */
    public void begin(String name) {
        file = name;
        line = 0;
        isCounted = true;
        back.clear();
    }

    /** The next line is not the one that follows in the file. */
    public void skip() {
        isCounted = false;
        back.clear();
    }

    public void line(String text) {
        line++;
        for (Sign sign : SIGNS) {
            if (text.contains(sign.text())) saw(sign.code(), text);
        }
        if (any(COMMUNICATION, text) && wasBefore(MEETING)) saw("Init", text);
        if (any(OUT_OF_MEMORY, text)) saw(wasBefore(MEETING) ? "Init" : "OOM", text);
        if (text.contains(ILLEGAL_ACCESS)) {
            saw(wasBefore(ANY_MEETING) ? "init_access" : "illegal_access", text);
        }
        if (text.contains(WAITING) && ++waiting > WAITING_LINES_MAX) saw("waiting", text);
        GpuSample.of(text)
                .ifPresent(
                        sample -> {
                            busySamples = sample.isFull() ? busySamples + 1 : 0;
                            if (busySamples > BUSY_SAMPLES_MAX) saw("Hang", text);
                        });
        if (back.size() == LINES_BACK) back.removeFirst();
        back.addLast(text);
    }

    /** In the order in which they were seen. */
    public List<Sight> sights() {
        return List.copyOf(sights.values());
    }

    /** The codes, joined by commas; empty where nothing known was seen. */
    public String result() {
        return String.join(",", Collections.unmodifiableSet(sights.keySet()));
    }

    private void saw(String code, String text) {
        String shown = text.strip();
        if (shown.length() > SHOWN_CHARACTERS_MAX) shown = shown.substring(0, SHOWN_CHARACTERS_MAX);
        sights.putIfAbsent(code, new Sight(code, file, isCounted ? line : 0, shown));
    }

    private boolean wasBefore(String text) {
        for (String earlier : back) {
            if (earlier.contains(text)) return true;
        }
        return false;
    }

    private static boolean any(List<String> texts, String line) {
        for (String text : texts) {
            if (line.contains(text)) return true;
        }
        return false;
    }
}
