package fairlead.transfer.pack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Reads files into what they are in an archive. Each slice is compressed by itself, and ends at a
 * whole byte, so that one of them can be made anew without those before it, while all of them in a
 * row are one stream as zip has it. Any thread.
 */
final class ContentReader {
    /**
     * On Python code, level 6 gave a sixth less and took three times as long; none at all, 3 times
     * as much.
     */
    private static final int LEVEL = 1;

    /** What does not get smaller by this part is not worth the time of those who unpack it. */
    private static final int GAIN_LEAST_PERCENT = 10;

    private ContentReader() {}

    /** The file is not as it was when it was looked at. */
    static final class Changed extends IOException {
        private static final long serialVersionUID = 1;

        Changed(String file) {
            super(file + " changed while it was packed");
        }
    }

    /**
     * @param bytes how large it was when it was looked at
     */
    static Content read(Path file, long bytes) throws IOException {
        if (bytes == 0) return Content.EMPTY;
        var crc = new CRC32();
        var slices = new ArrayList<Content.Slice>();
        boolean isDeflated = true;
        try (FileChannel channel = FileChannel.open(file)) {
            for (long offset = 0; offset < bytes; offset += Content.SLICE_BYTES) {
                byte[] raw = raw(channel, file, offset, bytes);
                crc.update(raw);
                // The first slice speaks for the file.
                byte[] packed = isDeflated ? deflated(raw, isLast(offset, bytes)) : raw;
                if (offset == 0
                        && packed.length > raw.length / 100.0 * (100 - GAIN_LEAST_PERCENT)) {
                    isDeflated = false;
                    packed = raw;
                }
                slices.add(new Content.Slice(packed.length, sha256().digest(packed)));
            }
            if (channel.size() != bytes) throw new Changed(file.toString());
        }
        return new Content(bytes, (int) crc.getValue(), isDeflated, slices);
    }

    /**
     * One slice once more.
     *
     * @throws Changed when it is not what it was
     */
    static byte[] slice(Path file, Content content, int index) throws IOException {
        long offset = (long) index * Content.SLICE_BYTES;
        byte[] packed;
        try (FileChannel channel = FileChannel.open(file)) {
            byte[] raw = raw(channel, file, offset, content.bytes());
            packed = content.isDeflated() ? deflated(raw, isLast(offset, content.bytes())) : raw;
        }
        if (!Arrays.equals(sha256().digest(packed), content.slices().get(index).hash()))
            throw new Changed(file.toString());
        return packed;
    }

    private static boolean isLast(long offset, long bytes) {
        return offset + Content.SLICE_BYTES >= bytes;
    }

    private static byte[] raw(FileChannel channel, Path file, long offset, long bytes)
            throws IOException {
        var buffer = ByteBuffer.allocate((int) Math.min(Content.SLICE_BYTES, bytes - offset));
        while (buffer.hasRemaining()) {
            int count = channel.read(buffer, offset + buffer.position());
            if (count < 0) throw new Changed(file.toString());
        }
        return buffer.array();
    }

    private static byte[] deflated(byte[] raw, boolean isLast) {
        try (var deflater = new Deflater(LEVEL, true)) {
            deflater.setInput(raw);
            if (isLast) deflater.finish();
            // What cannot be compressed grows by some bytes for each 16 KiB or so.
            var out = new byte[raw.length + raw.length / 1000 + 64];
            int length = 0;
            while (true) {
                int flush = isLast ? Deflater.NO_FLUSH : Deflater.FULL_FLUSH;
                length += deflater.deflate(out, length, out.length - length, flush);
                if (length < out.length) return Arrays.copyOf(out, length);
                out = Arrays.copyOf(out, out.length * 2);
            }
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
