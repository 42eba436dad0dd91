package fairlead.storage.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import fairlead.storage.Address;
import fairlead.storage.Limited;
import fairlead.storage.Piece;
import fairlead.storage.Progress;
import fairlead.storage.StorageException;
import fairlead.storage.Watched;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/**
 * Writes a file piece by piece into a draft beside it, and then puts the draft in its place. Pieces
 * that the old file has are copied from there, by the file system itself where it can. A draft is
 * named by the pieces that it will hold, so an upload that broke off is found and continued, and
 * two of the same content do each other no harm.
 */
final class PiecesUpload {
    /** After a loss of power the end of a draft may be empty. */
    private static final int DOUBTFUL = 2;

    private static final int BUFFER_BYTES = 128 * 1024;

    private final Address file;
    private final Path path;
    private final List<Piece> pieces;
    private final Progress progress;
    private final Path draft;

    PiecesUpload(Address file, Path path, List<Piece> pieces, Progress progress) {
        this.file = file;
        this.path = path;
        this.pieces = pieces;
        this.progress = progress;
        this.draft = path.resolveSibling(PieceIndex.prefix(path) + name(pieces));
    }

    private static String name(List<Piece> pieces) {
        var crc = new CRC32C();
        for (Piece piece : pieces) crc.update((piece.id() + "\n").getBytes(US_ASCII));
        return pieces.size() + "-" + HexFormat.of().toHexDigits((int) crc.getValue());
    }

    void run() throws IOException, StorageException {
        boolean hasOld = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
        try (FileChannel old = hasOld ? FileChannel.open(path, StandardOpenOption.READ) : null) {
            // Read after the file was opened: that of one which was replaced since does not count.
            PieceIndex index = PieceIndex.of(path);
            if (index.isMadeOf(pieces)) {
                for (Piece piece : pieces) progress.skipped(file, piece.bytes());
                return;
            }
            write(old, index.ranges());
        }
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        PieceIndex.remember(path, pieces);
    }

    private void write(FileChannel old, Map<String, PieceIndex.Range> known)
            throws IOException, StorageException {
        try (FileChannel out =
                FileChannel.open(
                        draft,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS)) {
            int written = resume(out);
            for (Piece piece : pieces.subList(written, pieces.size())) {
                PieceIndex.Range range = known.get(piece.id());
                if (range == null || range.bytes() != piece.bytes()) {
                    send(piece, out);
                } else {
                    copy(old, range, out);
                    progress.skipped(file, piece.bytes());
                }
            }
        }
    }

    /** How many pieces the draft has already; the next is written behind them. */
    private int resume(FileChannel out) throws IOException, StorageException {
        long size = out.size();
        long end = 0;
        int whole = 0;
        while (whole < pieces.size() && end + pieces.get(whole).bytes() <= size) {
            end += pieces.get(whole++).bytes();
        }
        int kept = Math.max(0, whole - DOUBTFUL);
        for (Piece piece : pieces.subList(kept, whole)) end -= piece.bytes();
        for (Piece piece : pieces.subList(0, kept)) progress.skipped(file, piece.bytes());
        out.truncate(end).position(end);
        return kept;
    }

    private void copy(FileChannel old, PieceIndex.Range range, FileChannel out) throws IOException {
        long done = 0;
        while (done < range.bytes()) {
            long count = old.transferTo(range.offset() + done, range.bytes() - done, out);
            if (count <= 0) throw new EOFException(path + " became shorter while it was read");
            done += count;
        }
    }

    /** A draft stays when the source breaks off; one that the disk has no room for does not. */
    private void send(Piece piece, FileChannel out) throws IOException {
        var whole = new Limited(piece.opener().open(), piece.bytes());
        try (InputStream in = new Watched(whole, file, progress, new AtomicLong())) {
            var buffer = new byte[BUFFER_BYTES];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                write(ByteBuffer.wrap(buffer, 0, count), out);
            }
        }
    }

    private void write(ByteBuffer bytes, FileChannel out) throws IOException {
        try {
            while (bytes.hasRemaining()) out.write(bytes);
        } catch (IOException full) {
            Files.deleteIfExists(draft);
            throw full;
        }
    }
}
