package fairlead.storage.file;

import fairlead.storage.Piece;
import fairlead.storage.Storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Of which pieces a file was made, in a small file beside it. It counts only while the file looks
 * as it did then, and may be lost at any time: then nothing is known.
 */
final class PieceIndex {
    /** 50,000 pieces, which is as many as Azure allows, are 3 MB. */
    private static final long BYTES_MAX = 16 << 20;

    /** A piece of the file. */
    record Range(long offset, long bytes) {}

    private final List<String> lines;

    private PieceIndex(List<String> lines) {
        this.lines = lines;
    }

    static Path place(Path file) {
        return file.resolveSibling(prefix(file) + "pieces");
    }

    /** What the names of all that belongs to the file and is not the file begin with. */
    static String prefix(Path file) {
        String name = file.getFileName().toString();
        return Storage.PART_PREFIX
                + Integer.toHexString(name.hashCode())
                + "-"
                + name.length()
                + "-";
    }

    /** Nothing where the file has changed since, or never was made of pieces. */
    static PieceIndex of(Path file) {
        try {
            Path place = place(file);
            if (Files.size(place) > BYTES_MAX) return new PieceIndex(List.of());
            List<String> lines = Files.readAllLines(place);
            Optional<String> now = looks(file);
            boolean counts =
                    !lines.isEmpty() && now.isPresent() && now.get().equals(lines.getFirst());
            return new PieceIndex(counts ? lines.subList(1, lines.size()) : List.of());
        } catch (IOException _) {
            return new PieceIndex(List.of());
        }
    }

    /** Where that cannot be written, the next version only takes longer. */
    static void remember(Path file, List<Piece> pieces) {
        try {
            var lines = new ArrayList<String>();
            lines.add(looks(file).orElseThrow(() -> new IOException(file + " is gone")));
            for (Piece piece : pieces) lines.add(line(piece));
            Files.write(place(file), lines);
        } catch (IOException _) {
            return;
        }
    }

    /** With the drafts of uploads that broke off. */
    static void forget(Path file) throws IOException {
        if (!Files.isDirectory(file.getParent())) return;
        try (var beside = Files.newDirectoryStream(file.getParent(), prefix(file) + "*")) {
            for (Path each : beside) Files.deleteIfExists(each);
        }
    }

    private static Optional<String> looks(Path file) throws IOException {
        var seen = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!seen.isRegularFile()) return Optional.empty();
        return Optional.of(seen.fileKey() + " " + seen.size() + " " + seen.lastModifiedTime());
    }

    private static String line(Piece piece) {
        return piece.id() + " " + piece.bytes();
    }

    boolean isMadeOf(List<Piece> pieces) {
        return !lines.isEmpty() && lines.equals(pieces.stream().map(PieceIndex::line).toList());
    }

    /** Where each piece is, by its id. */
    Map<String, Range> ranges() {
        var ranges = new HashMap<String, Range>();
        long offset = 0;
        for (String line : lines) {
            int blank = line.indexOf(' ');
            long bytes = Long.parseLong(line.substring(blank + 1));
            ranges.put(line.substring(0, blank), new Range(offset, bytes));
            offset += bytes;
        }
        return ranges;
    }
}
