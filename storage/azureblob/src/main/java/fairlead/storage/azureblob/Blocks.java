package fairlead.storage.azureblob;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.azure.storage.blob.models.Block;
import com.azure.storage.blob.models.BlockList;
import com.azure.storage.blob.models.BlockListType;

import fairlead.storage.Address;
import fairlead.storage.Checksum;
import fairlead.storage.Parallel;
import fairlead.storage.Piece;
import fairlead.storage.Progress;
import fairlead.storage.StorageException;
import fairlead.storage.Watched;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes blobs by blocks whose names are the ids of their content, so that Azure itself remembers
 * what has arrived: a block that the blob has, committed or not, is not sent again. Any thread.
 */
final class Blocks {
    /** Of one blob, by Azure. */
    private static final int BLOCKS_MAX = 50_000;

    /** Of all blobs together: enough for a fast line, and each has a connection. */
    private static final int SENT_AT_ONCE = 8;

    /** All names in a blob must be of one length. */
    private static final String FORM = "fl1.%-" + Piece.ID_MAX + "s";

    private static final String OURS = "fl1.";

    private final Calls calls;
    private final Account account;
    private final Semaphore sending = new Semaphore(SENT_AT_ONCE);

    Blocks(Calls calls, Account account) {
        this.calls = calls;
        this.account = account;
    }

    /** The name of the block of a piece. */
    private static String block(String id) {
        return Base64.getEncoder().encodeToString(FORM.formatted(id).getBytes(US_ASCII));
    }

    /** The piece of a block; empty for one that another program has made. */
    static String piece(String block) {
        try {
            String text = new String(Base64.getDecoder().decode(block), US_ASCII);
            return text.startsWith(OURS) ? text.substring(OURS.length()).strip() : "";
        } catch (IllegalArgumentException _) {
            return "";
        }
    }

    void upload(Address file, String name, List<Piece> pieces, Progress progress)
            throws StorageException {
        if (pieces.size() > BLOCKS_MAX) {
            throw new StorageException(
                    "%s is in %d pieces, but Azure takes at most %d"
                            .formatted(file, pieces.size(), BLOCKS_MAX));
        }
        BlockList old = old(name);
        List<String> wanted = pieces.stream().map(piece -> block(piece.id())).toList();
        if (old.getCommittedBlocks().stream().map(Block::getName).toList().equals(wanted)) {
            for (Piece piece : pieces) progress.skipped(file, piece.bytes());
            return;
        }
        var there = new HashMap<String, Long>();
        for (Block block : old.getCommittedBlocks())
            there.put(block.getName(), block.getSizeLong());
        for (Block block : old.getUncommittedBlocks())
            there.put(block.getName(), block.getSizeLong());
        send(file, name, pieces, there, progress);
        calls.blob(name).commitBlockList(wanted, true);
    }

    private BlockList old(String name) {
        try {
            return calls.blob(name).listBlocks(BlockListType.ALL);
        } catch (RuntimeException problem) {
            if (BlobWords.isMissing(problem)) return nothing();
            throw problem;
        }
    }

    private static BlockList nothing() {
        return new BlockList().setCommittedBlocks(List.of()).setUncommittedBlocks(List.of());
    }

    private void send(
            Address file,
            String name,
            List<Piece> pieces,
            Map<String, Long> there,
            Progress progress)
            throws StorageException {
        var begun = new HashSet<String>();
        try (var blocks = new Parallel(SENT_AT_ONCE)) {
            for (Piece piece : pieces) {
                String block = block(piece.id());
                boolean isThere = there.getOrDefault(block, -1L) == piece.bytes();
                if (isThere || !begun.add(block)) progress.skipped(file, piece.bytes());
                else blocks.start(() -> sendOne(file, name, block, piece, progress));
            }
            blocks.finish();
        }
    }

    private void sendOne(Address file, String name, String block, Piece piece, Progress progress)
            throws StorageException {
        try {
            sending.acquire();
            try {
                calls.putBlock(name, block, told(file, piece, progress));
            } finally {
                sending.release();
            }
        } catch (InterruptedException | IOException | RuntimeException problem) {
            throw BlobWords.failed(file + " was not written", account, problem);
        }
    }

    /** Bytes that have to be sent again are counted once. */
    private static Piece told(Address file, Piece piece, Progress progress) {
        var told = new AtomicLong();
        return new Piece(
                piece.id(),
                piece.bytes(),
                () -> new Watched(piece.opener().open(), file, progress, told));
    }

    /** Writes what a stream gives, of which nobody knows the length. */
    void upload(String name, byte[] first, InputStream rest) throws IOException {
        var ids = new ArrayList<String>();
        byte[] content = first;
        while (content.length > 0) {
            byte[] bytes = content;
            var checksum = new Checksum();
            checksum.update(bytes, 0, bytes.length);
            String block = block(checksum.id());
            calls.putBlock(
                    name,
                    block,
                    new Piece(checksum.id(), bytes.length, () -> new ByteArrayInputStream(bytes)));
            ids.add(block);
            if (ids.size() > BLOCKS_MAX) throw new IOException("it is too long for a blob");
            content = rest.readNBytes(first.length);
        }
        calls.blob(name).commitBlockList(ids, true);
    }
}
