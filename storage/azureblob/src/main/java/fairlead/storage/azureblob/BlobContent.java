package fairlead.storage.azureblob;

import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.Block;
import com.azure.storage.blob.models.BlockListType;

import fairlead.storage.Address;
import fairlead.storage.Content;
import fairlead.storage.StorageException;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** One version of a blob, known by its ETag; its parts are its blocks, if they were ours. */
record BlobContent(
        Address file,
        Calls calls,
        Account account,
        String name,
        long bytes,
        String version,
        String md5,
        List<Part> parts)
        implements Content {

    static BlobContent of(
            Address file, Calls calls, Account account, String name, BlobProperties seen) {
        byte[] md5 = seen.getContentMd5();
        return new BlobContent(
                file,
                calls,
                account,
                name,
                seen.getBlobSize(),
                seen.getETag(),
                md5 == null ? "" : Base64.getEncoder().encodeToString(md5),
                parts(calls, name, seen.getBlobSize()));
    }

    /**
     * Asked for after the version: if the blob was replaced in between, the version is gone and
     * nothing of it can be read.
     */
    private static List<Part> parts(Calls calls, String name, long bytes) {
        var parts = new ArrayList<Part>();
        long sum = 0;
        for (Block block :
                calls.blob(name).listBlocks(BlockListType.COMMITTED).getCommittedBlocks()) {
            String id = Blocks.piece(block.getName());
            if (id.isEmpty()) return List.of();
            parts.add(new Part(id, block.getSizeLong()));
            sum += block.getSizeLong();
        }
        return sum == bytes ? parts : List.of();
    }

    @Override
    public InputStream read(long offset, long bytes) throws StorageException {
        try {
            return new BlobStream(calls, account, name, offset, bytes, version);
        } catch (RuntimeException problem) {
            throw BlobWords.failed(file + " cannot be read", account, problem);
        }
    }
}
