package fairlead.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Base64;

/**
 * A file of a storage, and the file of this machine that is to be its copy: tells whether it is
 * that already. A checksum decides where the storage has one; otherwise the size and the time of
 * the last change, which a copy takes over from its original, as rsync has it.
 */
record LocalCopy(Entry from, Path to) {
    boolean isSame() throws StorageException {
        try {
            if (!hasSize()) return false;
            if (from.md5().isEmpty()) return hasTime();
            var md5 = Verifier.md5();
            read(
                    (buffer, count) -> {
                        md5.update(buffer, 0, count);
                        return true;
                    });
            return Base64.getEncoder().encodeToString(md5.digest()).equals(from.md5());
        } catch (IOException problem) {
            throw Ended.failed(to + " cannot be compared with " + from.address(), problem);
        }
    }

    /** The same for a file that is written in parts, each with a checksum. */
    boolean isSame(Content content) throws StorageException {
        boolean hasSums =
                !content.parts().isEmpty()
                        && content.parts().stream().allMatch(part -> Checksum.isId(part.id()));
        if (!hasSums) return isSame();
        try {
            if (!hasSize()) return false;
            var verifier = new Verifier(from.address(), content);
            return read((buffer, count) -> verifier.matches(buffer, 0, count));
        } catch (IOException problem) {
            throw Ended.failed(to + " cannot be compared with " + from.address(), problem);
        }
    }

    private boolean hasSize() throws IOException {
        return Files.isRegularFile(to) && Files.size(to) == from.bytes();
    }

    private boolean hasTime() throws IOException {
        return Files.getLastModifiedTime(to).toMillis() == from.modified().toEpochMilli();
    }

    private interface Step {
        boolean goesOn(byte[] buffer, int count);
    }

    /** Whether all steps went on. */
    private boolean read(Step step) throws IOException, StorageException {
        var buffer = new byte[Transfer.BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(to)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                Ended.ifInterrupted(from.address());
                if (!step.goesOn(buffer, count)) return false;
            }
        }
        return true;
    }

    /** Remembers which version came, where nothing else could show it. */
    void stamp() throws StorageException {
        try {
            if (from.md5().isEmpty()) Files.setLastModifiedTime(to, FileTime.from(from.modified()));
        } catch (IOException problem) {
            throw Ended.failed(to + " has not got the time of " + from.address(), problem);
        }
    }
}
