package fairlead.engines.yarn.master;

import fairlead.engines.yarn.relay.State;
import fairlead.engines.yarn.relay.TaskEnd;
import fairlead.engines.yarn.relay.TaskState;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The state of the application, in memory and in its folder, where the next master finds it if this
 * one dies. Any thread.
 */
final class Progress {
    /** Becomes {@link State#FILE} once it is whole; stays where only the old one was removed. */
    private static final String FRESH = State.FILE + ".new";

    private final FileSystem files;
    private final Path folder;
    private final List<TaskState> tasks;
    private final Object writing = new Object();
    private long version = 1;
    private long writtenVersion;
    private long stopAtMillis;
    private String trouble = "";

    /** Takes up what an earlier master has left. */
    Progress(FileSystem files, Path folder, int count) {
        this.files = files;
        this.folder = folder;
        this.tasks = new ArrayList<>(Collections.nCopies(count, TaskState.NEW));
        Optional<State> left = left(State.FILE).or(() -> left(FRESH));
        if (left.isEmpty()) return;
        version = left.get().version() + 1;
        stopAtMillis = left.get().stopAtMillis();
        for (int rank = 0; rank < count; rank++) tasks.set(rank, left.get().tasks().get(rank));
    }

    /**
     * Empty where there is none. One that was cut off is the very first: nothing has begun before
     * it was written.
     */
    private Optional<State> left(String name) {
        try (var in = new DataInputStream(files.open(new Path(folder, name)))) {
            return Optional.of(State.read(in));
        } catch (FileNotFoundException | EOFException none) {
            return Optional.empty();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    synchronized State state() {
        return new State(version, stopAtMillis, trouble, tasks);
    }

    synchronized TaskState task(int rank) {
        return tasks.get(rank);
    }

    /** Waits for another version than this one, but not for ever. */
    synchronized State awaitOther(long known, long millisMax) throws InterruptedException {
        long deadline = System.currentTimeMillis() + millisMax;
        for (long left = millisMax; version == known && left > 0; ) {
            wait(left);
            left = deadline - System.currentTimeMillis();
        }
        return state();
    }

    private void changed() {
        version++;
        notifyAll();
    }

    /** Nobody will ask again, and the folder is no longer ours. */
    void close() {
        synchronized (writing) {
            writtenVersion = Long.MAX_VALUE;
        }
        synchronized (this) {
            changed();
        }
    }

    synchronized void set(int rank, TaskState state) {
        tasks.set(rank, state);
        changed();
    }

    /** Only the first end of a task counts. */
    synchronized boolean end(int rank, TaskEnd end) {
        if (tasks.get(rank).end().isPresent()) return false;
        set(rank, tasks.get(rank).ended(end));
        return true;
    }

    /** Answers whether this is the first order to stop. */
    synchronized boolean stop(long atMillis) {
        if (stopAtMillis > 0) return false;
        stopAtMillis = Math.max(1, atMillis);
        changed();
        return true;
    }

    synchronized void trouble(String words) {
        if (trouble.equals(words)) return;
        trouble = words;
        changed();
    }

    /** Returns when everything up to now is in the folder. */
    void write() throws IOException {
        long wanted = state().version();
        synchronized (writing) {
            if (writtenVersion >= wanted) return;
            State now = state();
            Path fresh = new Path(folder, FRESH);
            try (var out = new DataOutputStream(files.create(fresh, true))) {
                now.write(out);
            }
            replace(fresh, new Path(folder, State.FILE));
            writtenVersion = now.version();
        }
    }

    @SuppressWarnings("deprecation")
    private void replace(Path from, Path to) throws IOException {
        // There is no other call that replaces a file at once.
        if (files instanceof org.apache.hadoop.hdfs.DistributedFileSystem hdfs) {
            hdfs.rename(from, to, Options.Rename.OVERWRITE);
        } else {
            files.delete(to, false);
            files.rename(from, to);
        }
    }
}
