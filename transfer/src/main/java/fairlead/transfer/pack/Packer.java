package fairlead.transfer.pack;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

/** Makes the archive of a tree, and reads only the files that have changed since the last time. */
public final class Packer {
    /**
     * A file that changed less than this before it was read is not known by its time: the clocks of
     * some file systems make steps of two seconds, and it may have changed again within one.
     */
    private static final Duration YOUNG = Duration.ofSeconds(2);

    /** Compressing is all work and no waiting. */
    private static final int READERS = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 8);

    private final Optional<FileIndex> index;
    private final LongConsumer read;

    /**
     * @param indexes the folder where it keeps what it knows; empty where there is no next time
     * @param read called with the bytes of each file that was read
     */
    public Packer(Optional<Path> indexes, Path top, LongConsumer read) {
        this.index = indexes.map(folder -> FileIndex.of(folder, top));
        this.read = read;
    }

    /**
     * @param trusts whether what is known may be used; otherwise all is read anew
     */
    public Archive pack(Tree tree, boolean trusts) throws IOException {
        long now = Instant.now().minus(YOUNG).toEpochMilli() * 1_000_000;
        Map<String, FileIndex.Known> known =
                trusts ? index.map(FileIndex::read).orElse(Map.of()) : Map.of();
        var contents = new Content[tree.found().size()];
        var unread = new ArrayList<Integer>();
        for (int i = 0; i < contents.length; i++) {
            Found found = tree.found().get(i);
            FileIndex.Known before = known.get(found.path());
            switch (found.kind()) {
                case FOLDER -> contents[i] = Content.EMPTY;
                case LINK -> contents[i] = Links.read(tree.top().resolve(found.path()));
                case FILE -> {
                    boolean isSame = before != null && before.stamp().equals(found.stamp());
                    if (isSame) contents[i] = before.content();
                    else unread.add(i);
                }
            }
        }
        readAll(tree, contents, unread);
        if (index.isPresent()) remember(index.get(), tree, contents, known, now);
        var entries = new ArrayList<Packed>();
        for (int i = 0; i < contents.length; i++)
            entries.add(new Packed(tree.found().get(i), contents[i]));
        return Archive.of(tree.top(), entries);
    }

    /** Whether something failed because a file was not any more as it had been looked at. */
    public static boolean isChange(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof ContentReader.Changed) return true;
        }
        return false;
    }

    private void readAll(Tree tree, Content[] contents, List<Integer> unread) throws IOException {
        var next = new AtomicInteger();
        var failure = new AtomicReference<IOException>();
        Runnable reading =
                () -> {
                    for (int i = next.getAndIncrement();
                            i < unread.size() && failure.get() == null;
                            i = next.getAndIncrement()) {
                        Found found = tree.found().get(unread.get(i));
                        try {
                            contents[unread.get(i)] = read(tree.top(), found);
                        } catch (IOException problem) {
                            failure.compareAndSet(null, problem);
                        }
                    }
                };
        var readers = new ArrayList<Thread>();
        int count = Math.min(READERS, unread.size());
        for (int i = 0; i < count; i++)
            readers.add(Thread.ofPlatform().daemon().name("reader-" + i).start(reading));
        try {
            for (Thread reader : readers) reader.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            failure.compareAndSet(null, new IOException("interrupted"));
        }
        if (failure.get() != null) throw failure.get();
        boolean isWhole = Arrays.stream(contents).noneMatch(content -> content == null);
        if (!isWhole) throw new IllegalStateException("a reader of files ended too early");
    }

    private Content read(Path top, Found found) throws IOException {
        Path file = top.resolve(found.path());
        try {
            Content content = ContentReader.read(file, found.stamp().bytes());
            read.accept(content.bytes());
            return content;
        } catch (NoSuchFileException _) {
            throw new ContentReader.Changed(found.path());
        }
    }

    /** What is as it was needs no writing; what is young is better not remembered. */
    private static void remember(
            FileIndex index,
            Tree tree,
            Content[] contents,
            Map<String, FileIndex.Known> before,
            long youngNanos) {
        var known = new HashMap<String, FileIndex.Known>();
        boolean isNew = false;
        for (int i = 0; i < contents.length; i++) {
            Found found = tree.found().get(i);
            if (found.kind() != Found.Kind.FILE) continue;
            FileIndex.Known old = before.get(found.path());
            boolean isOld = old != null && old.content() == contents[i];
            Found.Stamp stamp = found.stamp();
            boolean isYoung =
                    stamp.modifiedNanos() >= youngNanos || stamp.changedNanos() >= youngNanos;
            if (!isOld && isYoung) continue;
            isNew |= !isOld;
            known.put(found.path(), new FileIndex.Known(stamp, contents[i]));
        }
        if (!isNew && known.size() == before.size()) return;
        try {
            index.write(known);
        } catch (IOException _) {
            // The next time is only slower.
            return;
        }
    }
}
