package fairlead.transfer.pack;

import java.util.List;

/**
 * What a file is inside an archive.
 *
 * @param bytes of the file itself
 * @param crc of the file itself
 * @param isDeflated whether its slices are compressed, or as they are
 * @param slices none for an empty file
 */
record Content(long bytes, int crc, boolean isDeflated, List<Slice> slices) {
    static final Content EMPTY = new Content(0, 0, false, List.of());

    /**
     * So many bytes of the file, or what is left of it, make one slice: large enough that few are
     * needed, small enough that several fit into memory at once.
     */
    static final int SLICE_BYTES = 4 << 20;

    /**
     * A part of the file as it stands in the archive.
     *
     * @param bytes in the archive
     * @param hash SHA-256 of these
     */
    record Slice(long bytes, byte[] hash) {}

    Content {
        slices = List.copyOf(slices);
    }

    /** In the archive. */
    long packedBytes() {
        long sum = 0;
        for (Slice slice : slices) sum += slice.bytes;
        return sum;
    }
}
