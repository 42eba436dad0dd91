package fairlead.transfer.pack;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The records of a zip file. All times are the same, so that the same tree gives the same bytes.
 * Sizes and places beyond 4 GiB, and more than 65,534 entries, stand in the records of zip64.
 */
final class ZipHeaders {
    private static final int LOCAL = 0x04034b50;
    private static final int CENTRAL = 0x02014b50;
    private static final int END = 0x06054b50;
    private static final int END_64 = 0x06064b50;
    private static final int END_64_LOCATOR = 0x07064b50;

    private static final int LOCAL_BYTES = 30;
    private static final int CENTRAL_BYTES = 46;
    private static final int END_BYTES = 22;
    private static final int END_64_BYTES = 56;
    private static final int LOCATOR_BYTES = 20;

    private static final long UINT_MAX = 0xffffffffL;
    private static final int USHORT_MAX = 0xffff;

    private static final int VERSION = 20;
    private static final int VERSION_64 = 45;
    private static final int MADE_ON_UNIX = 3 << 8;
    private static final int NAME_IS_UTF8 = 1 << 11;

    /** The first of January 2000: in no time zone before 1980, which zip cannot say. */
    private static final int DATE = (2000 - 1980) << 9 | 1 << 5 | 1;

    private static final int EXTRA_HEAD_BYTES = 4;
    private static final int EXTRA_64 = 0x0001;

    /** What Android's zipalign uses: a field of nothing, to move what follows. */
    private static final int EXTRA_PAD = 0xd935;

    static final int PAD_LEAST = EXTRA_HEAD_BYTES;

    private static final int MODE_FILE = 0100644;
    private static final int MODE_EXECUTABLE = 0100755;
    private static final int MODE_LINK = 0120777;
    private static final int MODE_FOLDER = 0040755;
    private static final int DOS_FOLDER = 0x10;

    private ZipHeaders() {}

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static boolean isLarge(Packed entry) {
        return entry.content().bytes() >= UINT_MAX || entry.content().packedBytes() >= UINT_MAX;
    }

    private static int extra64Bytes(boolean sizes, boolean offset) {
        int bytes = (sizes ? 16 : 0) + (offset ? 8 : 0);
        return bytes == 0 ? 0 : EXTRA_HEAD_BYTES + bytes;
    }

    static int localBytes(Packed entry, int pad) {
        byte[] name = entry.name();
        return LOCAL_BYTES + name.length + extra64Bytes(isLarge(entry), false) + pad;
    }

    /**
     * What stands before the content.
     *
     * @param pad bytes to lengthen it by; none, or at least {@link #PAD_LEAST}
     */
    static byte[] local(Packed entry, int pad) {
        boolean isLarge = isLarge(entry);
        byte[] name = entry.name();
        ByteBuffer out = buffer(localBytes(entry, pad)).putInt(LOCAL);
        common(out, entry, isLarge);
        out.putShort((short) name.length);
        out.putShort((short) (extra64Bytes(isLarge, false) + pad)).put(name);
        if (isLarge) sizes(out, entry, 16);
        if (pad > 0) out.putShort((short) EXTRA_PAD).putShort((short) (pad - EXTRA_HEAD_BYTES));
        return out.array();
    }

    private static void common(ByteBuffer out, Packed entry, boolean isLarge) {
        Content content = entry.content();
        boolean isAscii = StandardCharsets.US_ASCII.newEncoder().canEncode(entry.found().path());
        out.putShort((short) (isLarge ? VERSION_64 : VERSION));
        out.putShort((short) (isAscii ? 0 : NAME_IS_UTF8));
        out.putShort((short) (content.isDeflated() ? 8 : 0));
        out.putShort((short) 0).putShort((short) DATE).putInt(content.crc());
        out.putInt((int) (isLarge ? UINT_MAX : content.packedBytes()));
        out.putInt((int) (isLarge ? UINT_MAX : content.bytes()));
    }

    private static void sizes(ByteBuffer out, Packed entry, int length) {
        out.putShort((short) EXTRA_64).putShort((short) length);
        out.putLong(entry.content().bytes()).putLong(entry.content().packedBytes());
    }

    /** The entry in the list at the archive's end. */
    static byte[] central(Packed entry, long offset) {
        boolean isLarge = isLarge(entry);
        boolean isFar = offset >= UINT_MAX;
        byte[] name = entry.name();
        int extra = extra64Bytes(isLarge, isFar);
        ByteBuffer out = buffer(CENTRAL_BYTES + name.length + extra).putInt(CENTRAL);
        out.putShort((short) (MADE_ON_UNIX | VERSION_64));
        common(out, entry, isLarge);
        out.putShort((short) name.length).putShort((short) extra).putShort((short) 0);
        out.putShort((short) 0).putShort((short) 0);
        out.putInt(mode(entry.found()) << 16 | dosFlags(entry.found()));
        out.putInt((int) (isFar ? UINT_MAX : offset)).put(name);
        if (isLarge) sizes(out, entry, extra - EXTRA_HEAD_BYTES);
        else if (isFar) out.putShort((short) EXTRA_64).putShort((short) 8);
        if (isFar) out.putLong(offset);
        return out.array();
    }

    private static int mode(Found found) {
        return switch (found.kind()) {
            case FILE -> found.isExecutable() ? MODE_EXECUTABLE : MODE_FILE;
            case LINK -> MODE_LINK;
            case FOLDER -> MODE_FOLDER;
        };
    }

    private static int dosFlags(Found found) {
        return found.kind() == Found.Kind.FOLDER ? DOS_FOLDER : 0;
    }

    /** The archive's last record, by which readers find the list. */
    static byte[] end(long entries, long listBytes, long listOffset) {
        boolean isLarge = entries >= USHORT_MAX || listBytes >= UINT_MAX || listOffset >= UINT_MAX;
        ByteBuffer out = buffer(END_BYTES + (isLarge ? END_64_BYTES + LOCATOR_BYTES : 0));
        if (isLarge) {
            out.putInt(END_64).putLong(END_64_BYTES - 12);
            out.putShort((short) (MADE_ON_UNIX | VERSION_64)).putShort((short) VERSION_64);
            out.putInt(0).putInt(0).putLong(entries).putLong(entries);
            out.putLong(listBytes).putLong(listOffset);
            out.putInt(END_64_LOCATOR).putInt(0).putLong(listOffset + listBytes).putInt(1);
        }
        short count = (short) Math.min(entries, USHORT_MAX);
        out.putInt(END).putShort((short) 0).putShort((short) 0).putShort(count).putShort(count);
        out.putInt((int) Math.min(listBytes, UINT_MAX));
        out.putInt((int) Math.min(listOffset, UINT_MAX)).putShort((short) 0);
        return out.array();
    }
}
