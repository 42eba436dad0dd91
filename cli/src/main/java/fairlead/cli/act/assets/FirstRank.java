package fairlead.cli.act.assets;

import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.log.RankTag;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The last lines of the first rank, from a log that others write to as well. */
public final class FirstRank extends OutputStream {
    /** Of how many ranks the lines are asked for, to find enough of the first. */
    private static final int RANKS_MAX = 64;

    private final boolean isTagged;
    private final int linesMax;
    private final Deque<String> lines = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long seen;

    public FirstRank(boolean isTagged, int linesMax) {
        this.isTagged = isTagged;
        this.linesMax = linesMax;
    }

    /** How many times more lines must be read because other ranks write between them. */
    public static int linesNeeded(boolean isTagged, Optional<ActJob> job) {
        if (!isTagged || job.isEmpty()) return 1;
        return Math.min(RANKS_MAX, job.get().nodes() * job.get().processesPerNode());
    }

    @Override
    public void write(int b) {
        line.write(b);
        if (b == '\n') end();
    }

    private void end() {
        seen++;
        byte[] bytes = line.toByteArray();
        line.reset();
        Optional<RankTag> tag = isTagged ? RankTag.of(bytes, 0, bytes.length) : Optional.empty();
        if (tag.isPresent() && tag.get().rank() != 0) return;
        int from = tag.map(RankTag::bytes).orElse(0);
        String text = new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
        if (lines.size() == linesMax) lines.removeFirst();
        lines.addLast(text.stripTrailing());
    }

    /** How many lines of all ranks have come. */
    public long seen() {
        return seen;
    }

    public List<String> lines() {
        if (line.size() > 0) end();
        return List.copyOf(lines);
    }
}
