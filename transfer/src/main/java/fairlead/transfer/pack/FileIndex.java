package fairlead.transfer.pack;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * What the files of one folder were in its last archive, so that those that have not changed need
 * not be read again. It may be lost or damaged at any time: then everything is read.
 */
final class FileIndex {
    /** Of a file of that path; it counts only while the stamp is the same. */
    record Known(Found.Stamp stamp, Content content) {}

    /** Also for another Java: its compressor may give other bytes. */
    private static final String FORMAT = "fairlead files 1 " + Runtime.version();

    /** Beside other small files for so many folders; what was not used for longest goes first. */
    private static final int FILES_MAX = 128;

    /** A larger file was not written by us: of the most files that there may be it is a third. */
    private static final long BYTES_MAX = 200L << 20;

    private static final int HASH_BYTES = 32;
    private static final int CHECK_BYTES = Long.BYTES;

    private final Path file;

    private FileIndex(Path file) {
        this.file = file;
    }

    /**
     * @param folder where indexes are kept
     * @param top of which folder
     */
    static FileIndex of(Path folder, Path top) {
        byte[] hash =
                ContentReader.sha256().digest(top.toString().getBytes(StandardCharsets.UTF_8));
        return new FileIndex(folder.resolve(HexFormat.of().formatHex(hash, 0, 16) + ".files"));
    }

    /** Nothing where there is none that can be used. */
    Map<String, Known> read() {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return Map.of();
            if (Files.size(file) > BYTES_MAX) return Map.of();
            byte[] all = Files.readAllBytes(file);
            if (all.length < CHECK_BYTES) return Map.of();
            int length = all.length - CHECK_BYTES;
            long check;
            try (var end =
                    new DataInputStream(new ByteArrayInputStream(all, length, CHECK_BYTES))) {
                check = end.readLong();
            }
            if (check != check(all, length)) return Map.of();
            try (var in = new DataInputStream(new ByteArrayInputStream(all, 0, length))) {
                return read(in);
            }
        } catch (IOException _) {
            // As good as none.
            return Map.of();
        }
    }

    private static long check(byte[] bytes, int length) {
        var crc = new CRC32();
        crc.update(bytes, 0, length);
        return crc.getValue();
    }

    private static Map<String, Known> read(DataInputStream in) throws IOException {
        if (!in.readUTF().equals(FORMAT)) return Map.of();
        int count = in.readInt();
        Map<String, Known> known = HashMap.newHashMap(count);
        for (int i = 0; i < count; i++) {
            String path = in.readUTF();
            var stamp = new Found.Stamp(in.readLong(), in.readLong(), in.readLong(), in.readLong());
            int crc = in.readInt();
            boolean isDeflated = in.readBoolean();
            var slices = new ArrayList<Content.Slice>();
            int length = in.readInt();
            for (int s = 0; s < length; s++) {
                long bytes = in.readLong();
                slices.add(new Content.Slice(bytes, in.readNBytes(HASH_BYTES)));
            }
            known.put(path, new Known(stamp, new Content(stamp.bytes(), crc, isDeflated, slices)));
        }
        return known;
    }

    /** Replaces what was there, in one step. */
    void write(Map<String, Known> known) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            write(known, out);
            long check = check(bytes.toByteArray(), bytes.size());
            out.writeLong(check);
        }
        Files.createDirectories(file.getParent());
        Path part = Files.createTempFile(file.getParent(), "part-", ".tmp");
        try {
            Files.write(part, bytes.toByteArray());
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
        removeOldest();
    }

    private static void write(Map<String, Known> known, DataOutputStream out) throws IOException {
        out.writeUTF(FORMAT);
        out.writeInt(known.size());
        for (Map.Entry<String, Known> entry : known.entrySet()) {
            Found.Stamp stamp = entry.getValue().stamp;
            Content content = entry.getValue().content;
            out.writeUTF(entry.getKey());
            out.writeLong(stamp.bytes());
            out.writeLong(stamp.modifiedNanos());
            out.writeLong(stamp.changedNanos());
            out.writeLong(stamp.inode());
            out.writeInt(content.crc());
            out.writeBoolean(content.isDeflated());
            out.writeInt(content.slices().size());
            for (Content.Slice slice : content.slices()) {
                out.writeLong(slice.bytes());
                out.write(slice.hash());
            }
        }
    }

    private void removeOldest() throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.list(file.getParent())) {
            all = files.sorted(Comparator.comparing(FileIndex::time).reversed()).toList();
        }
        for (Path old : all.subList(Math.min(FILES_MAX, all.size()), all.size()))
            Files.deleteIfExists(old);
    }

    private static FileTime time(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException _) {
            // Removed by another command just now.
            return FileTime.fromMillis(0);
        }
    }
}
