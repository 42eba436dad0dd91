package fairlead.transfer.pack;

import fairlead.storage.Piece;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A zip file as pieces that are known by their content. Small files stand together in a piece;
 * which ones do follows from their names, so that a file that changes, comes or goes changes the
 * pieces near it alone. Each such piece is lengthened to a multiple of some bytes, so that mostly
 * nothing after it moves, and most of the list at the end stays the same too.
 *
 * <p>A piece is read from the files when it is asked for: no copy of them is made.
 */
public final class Archive {
    /** How large a piece of small files is on the average; more where there would be too many. */
    private static final int TARGET_BYTES = 64 << 10;

    private static final int GROUPS_WANTED_MAX = 16_000;

    /** A file that is larger has pieces of its own. */
    private static final int SMALL_BYTES_MAX = 1 << 20;

    /** In targets: chance alone would make some pieces far larger than the others. */
    private static final int GROUP_TARGETS_MAX = 4;

    /** An edit seldom changes a compressed file by more, and half of it is what a piece wastes. */
    private static final int ALIGNMENT_BYTES = 4 << 10;

    /** Of the list at the end: about 20 KB. */
    private static final int LIST_ENTRIES_MEAN = 256;

    private static final int LIST_ENTRIES_MAX = 1_024;

    /** What Azure takes for one blob. */
    private static final int PIECES_MAX = 50_000;

    private final Path top;
    private final List<Packed> entries;
    private final List<Piece> pieces = new ArrayList<>();
    private final long[] offsets;
    private final long targetBytes;
    private long bytes;

    private Archive(Path top, List<Packed> entries) {
        this.top = top;
        this.entries = entries;
        this.offsets = new long[entries.size()];
        long small = 0;
        for (Packed entry : entries) {
            long size = entry.content().packedBytes();
            if (size <= SMALL_BYTES_MAX) small += size;
        }
        long target = TARGET_BYTES;
        while (small / target > GROUPS_WANTED_MAX) target *= 2;
        this.targetBytes = target;
    }

    /**
     * @param entries in the order of the archive
     */
    static Archive of(Path top, List<Packed> entries) throws IOException {
        var archive = new Archive(top, entries);
        archive.cutContents();
        archive.cutList();
        if (archive.pieces.size() > PIECES_MAX) {
            throw new IOException(
                    "this folder is too large for one archive: "
                            + archive.bytes
                            + " bytes; .fairleadignore or zip_options can leave out more");
        }
        return archive;
    }

    public List<Piece> pieces() {
        return pieces;
    }

    public long bytes() {
        return bytes;
    }

    private void cutContents() {
        int from = 0;
        long group = 0;
        for (int i = 0; i < entries.size(); i++) {
            Packed entry = entries.get(i);
            long packed = entry.content().packedBytes();
            boolean isSmall = packed <= SMALL_BYTES_MAX;
            long size = ZipHeaders.localBytes(entry, 0) + (isSmall ? packed : 0);
            group += size;
            boolean isLast = i == entries.size() - 1;
            if (!isSmall
                    || isLast
                    || group >= targetBytes * GROUP_TARGETS_MAX
                    || isCut(entry, size)) {
                addGroup(from, i + 1, group);
                from = i + 1;
                group = 0;
            }
            if (!isSmall) addSlices(entry);
        }
    }

    /** By chance that comes from the name, in proportion to the size in steps of two. */
    private boolean isCut(Packed entry, long size) {
        long weight = Long.highestOneBit(size);
        return weight >= targetBytes || chance(entry, targetBytes / weight);
    }

    private static boolean chance(Packed entry, long one) {
        long mixed = entry.found().path().hashCode() * 0x9e3779b97f4a7c15L;
        return Long.remainderUnsigned(mixed ^ mixed >>> 32, one) == 0;
    }

    /** The last of them may be a large file, of which only the header is here. */
    private void addGroup(int from, int to, long size) {
        int pad = (int) (ALIGNMENT_BYTES - size % ALIGNMENT_BYTES) % ALIGNMENT_BYTES;
        if (pad > 0 && pad < ZipHeaders.PAD_LEAST) pad += ALIGNMENT_BYTES;
        MessageDigest digest = ContentReader.sha256();
        long at = bytes;
        for (int i = from; i < to; i++) {
            Packed entry = entries.get(i);
            int own = i == from ? pad : 0;
            digest.update(ZipHeaders.local(entry, own));
            offsets[i] = at;
            at += ZipHeaders.localBytes(entry, own);
            if (entry.content().packedBytes() > SMALL_BYTES_MAX) continue;
            for (Content.Slice slice : entry.content().slices()) {
                digest.update(slice.hash());
                at += slice.bytes();
            }
        }
        int padded = pad;
        pieces.add(new Piece(id(digest), at - bytes, () -> new GroupStream(from, to, padded)));
        bytes = at;
    }

    private void addSlices(Packed entry) {
        for (int i = 0; i < entry.content().slices().size(); i++) {
            Content.Slice slice = entry.content().slices().get(i);
            MessageDigest digest = ContentReader.sha256();
            digest.update(slice.hash());
            int index = i;
            pieces.add(
                    new Piece(
                            id(digest),
                            slice.bytes(),
                            () -> new java.io.ByteArrayInputStream(slice(entry, index))));
            bytes += slice.bytes();
        }
    }

    private byte[] slice(Packed entry, int index) throws IOException {
        Path file = top.resolve(entry.found().path());
        return switch (entry.found().kind()) {
            case FILE -> ContentReader.slice(file, entry.content(), index);
            case LINK -> Links.slice(file, entry.content());
            case FOLDER -> throw new IllegalStateException(entry + " has no content");
        };
    }

    private void cutList() {
        long start = bytes;
        var records = new ArrayList<byte[]>();
        for (int i = 0; i < entries.size(); i++) {
            records.add(ZipHeaders.central(entries.get(i), offsets[i]));
            boolean isCut =
                    records.size() >= LIST_ENTRIES_MAX || chance(entries.get(i), LIST_ENTRIES_MEAN);
            if (isCut || i == entries.size() - 1) {
                addBytes(records);
                records.clear();
            }
        }
        addBytes(List.of(ZipHeaders.end(entries.size(), bytes - start, start)));
    }

    private void addBytes(List<byte[]> records) {
        int size = 0;
        for (byte[] record : records) size += record.length;
        ByteBuffer all = ByteBuffer.allocate(size);
        for (byte[] record : records) all.put(record);
        MessageDigest digest = ContentReader.sha256();
        digest.update(all.array());
        pieces.add(
                new Piece(id(digest), size, () -> new java.io.ByteArrayInputStream(all.array())));
        bytes += size;
    }

    private static String id(MessageDigest digest) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
    }

    /** The bytes of one piece of small files, each file read when its turn comes. */
    private final class GroupStream extends InputStream {
        private final int from;
        private final int to;
        private final int pad;
        private int entry;
        private int slice = -1;
        private byte[] now = new byte[0];
        private int at;

        GroupStream(int from, int to, int pad) {
            this.from = from;
            this.to = to;
            this.pad = pad;
            this.entry = from;
        }

        @Override
        public int read() throws IOException {
            return fill() ? now[at++] & 0xff : -1;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (length == 0) return 0;
            if (!fill()) return -1;
            int count = Math.min(length, now.length - at);
            System.arraycopy(now, at, buffer, offset, count);
            at += count;
            return count;
        }

        /** Whether there is more. A slice of -1 is the header. */
        private boolean fill() throws IOException {
            while (at == now.length) {
                if (entry == to) return false;
                Packed packed = entries.get(entry);
                boolean isSmall = packed.content().packedBytes() <= SMALL_BYTES_MAX;
                at = 0;
                now =
                        slice < 0
                                ? ZipHeaders.local(packed, entry == from ? pad : 0)
                                : Archive.this.slice(packed, slice);
                slice++;
                if (!isSmall || slice == packed.content().slices().size()) {
                    slice = -1;
                    entry++;
                }
            }
            return true;
        }
    }
}
