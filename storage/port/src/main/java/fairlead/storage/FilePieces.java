package fairlead.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A local file as pieces, whose ids are the checksums of their bytes. */
final class FilePieces {
    /** Azure takes 50,000; a list of more would only be longer than it is worth. */
    private static final int PIECES_MAX = 10_000;

    private FilePieces() {}

    /** Reads the file once to know the ids; the pieces read it again, and compare. */
    static List<Piece> of(Path file) throws IOException, StorageException {
        long size = Files.size(file);
        long pieceBytes = Transfer.PIECE_BYTES;
        while (size / pieceBytes >= PIECES_MAX) pieceBytes *= 2;
        var pieces = new ArrayList<Piece>();
        var buffer = new byte[Transfer.BUFFER_BYTES];
        var checksum = new Checksum();
        try (InputStream in = Files.newInputStream(file)) {
            for (long offset = 0; offset < size; offset += pieceBytes) {
                Ended.ifInterrupted(file);
                long start = offset;
                long bytes = Math.min(pieceBytes, size - offset);
                checksum.reset();
                for (long left = bytes; left > 0; ) {
                    int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                    if (count < 0) throw changed();
                    checksum.update(buffer, 0, count);
                    left -= count;
                }
                String id = checksum.id();
                pieces.add(new Piece(id, bytes, () -> new Compared(file, start, bytes, id)));
            }
        }
        return pieces;
    }

    private static IOException changed() {
        return new IOException("it has changed while it was being read");
    }

    /**
     * Gives its last bytes only if all were those of the id: otherwise a storage would keep other
     * content under the id, and believe it at the next try.
     */
    private static final class Compared extends FilterInputStream {
        private final Checksum checksum = new Checksum();
        private final String id;
        private long left;

        Compared(Path file, long offset, long bytes, String id) throws IOException {
            super(Channels.newInputStream(FileChannel.open(file).position(offset)));
            this.left = bytes;
            this.id = id;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (left == 0) return -1;
            int count = in.read(buffer, offset, (int) Math.min(length, left));
            if (count < 0) throw changed();
            checksum.update(buffer, offset, count);
            left -= count;
            if (left == 0 && !checksum.id().equals(id)) throw changed();
            return count;
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
