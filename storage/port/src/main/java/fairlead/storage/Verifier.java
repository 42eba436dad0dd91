package fairlead.storage;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/**
 * Compares content with its checksums as it comes in from the beginning: part by part where the
 * parts have checksums, otherwise at its end by its MD5 where that is known. Not thread-safe.
 */
final class Verifier {
    private final Address file;
    private final Content content;
    private final Checksum checksum = new Checksum();

    /** The MD5 of all that was seen, and of all that is good; null where the parts are enough. */
    private MessageDigest whole;

    private MessageDigest wholeGood;
    private int part;
    private long seen;
    private long good;

    Verifier(Address file, Content content) {
        this.file = file;
        this.content = content;
        boolean areEnough =
                !content.parts().isEmpty()
                        && content.parts().stream().allMatch(each -> Checksum.isId(each.id()));
        if (areEnough || content.md5().isEmpty()) return;
        whole = md5();
        wholeGood = md5();
    }

    static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Forgets the bytes of the last part that is not whole and right, and says where it begins. */
    long backToGood() {
        checksum.reset();
        seen = good;
        if (whole != null) whole = copy(wholeGood);
        return good;
    }

    /** How many bytes it was shown; those of a part that has not ended yet are not compared. */
    long seen() {
        return seen;
    }

    /** False means that the part which ends among these bytes is wrong. */
    boolean matches(byte[] buffer, int offset, int length) {
        List<Content.Part> parts = content.parts();
        int at = 0;
        while (at < length && part < parts.size()) {
            Content.Part now = parts.get(part);
            int count = (int) Math.min(good + now.bytes() - seen, length - at);
            checksum.update(buffer, offset + at, count);
            if (whole != null) whole.update(buffer, offset + at, count);
            at += count;
            seen += count;
            if (seen < good + now.bytes()) continue;
            if (Checksum.isId(now.id()) && !now.id().equals(checksum.id())) return false;
            checksum.reset();
            good = seen;
            if (whole != null) wholeGood = copy(whole);
            part++;
        }
        if (parts.isEmpty()) {
            if (whole != null) {
                whole.update(buffer, offset, length);
                wholeGood = whole;
            }
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
        if (part < content.parts().size()) throw damaged("its last part");
        if (whole == null) return;
        String md5 = Base64.getEncoder().encodeToString(whole.digest());
        if (!md5.equals(content.md5())) throw damaged("all of it");
    }

    private StorageException damaged(String what) {
        return new StorageException(
                "%s is damaged: %s does not match its checksum".formatted(file, what));
    }
}
