package fairlead.storage;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/**
 * Compares content with its checksums as it comes in from the beginning: part by part where the
 * parts are known, otherwise at its end by its MD5 where that is known. Not thread-safe.
 */
final class Verifier {
    private final Address file;
    private final Content content;
    private final Checksum checksum = new Checksum();
    private final MessageDigest whole;
    private int part;
    private long seen;
    private long good;

    Verifier(Address file, Content content) {
        this.file = file;
        this.content = content;
        this.whole = content.parts().isEmpty() && !content.md5().isEmpty() ? md5() : null;
    }

    static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Forgets the bytes of the last part that is not whole and right, and tells where it begins.
     */
    long backToGood() {
        checksum.reset();
        seen = good;
        return good;
    }

    /** False means that the part which ends among these bytes is wrong. */
    boolean matches(byte[] buffer, int offset, int length) {
        List<Content.Part> parts = content.parts();
        if (whole != null) whole.update(buffer, offset, length);
        int at = 0;
        while (at < length && part < parts.size()) {
            Content.Part now = parts.get(part);
            int count = (int) Math.min(good + now.bytes() - seen, length - at);
            checksum.update(buffer, offset + at, count);
            at += count;
            seen += count;
            if (seen < good + now.bytes()) continue;
            if (Checksum.isId(now.id()) && !now.id().equals(checksum.id())) return false;
            checksum.reset();
            good = seen;
            part++;
        }
        if (parts.isEmpty()) {
            seen += length;
            good = seen;
        }
        return true;
    }

    void update(byte[] buffer, int offset, int length) throws StorageException {
        if (!matches(buffer, offset, length)) throw damaged("what ends at byte " + seen);
    }

    /** After the last byte. */
    void end() throws StorageException {
        if (whole == null) return;
        String md5 = Base64.getEncoder().encodeToString(whole.digest());
        if (!md5.equals(content.md5())) throw damaged("all of it");
    }

    private StorageException damaged(String what) {
        return new StorageException(
                "%s is damaged: %s does not match its checksum".formatted(file, what));
    }
}
