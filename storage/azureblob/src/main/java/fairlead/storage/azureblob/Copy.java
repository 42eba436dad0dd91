package fairlead.storage.azureblob;

import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.CopyStatusType;
import com.azure.storage.blob.specialized.BlockBlobClient;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/** A copy that Azure makes by itself, from any account, with all the blocks of the source. */
record Copy(BlockBlobClient target) {
    /** Azure ends a copy that takes longer than two weeks; one that long is not waited for. */
    static final Duration SIGNED_FOR = Duration.ofDays(7);

    /** Between two questions how far it is, while nothing else is to be done. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** Without a byte of progress. */
    private static final Duration STILL_MAX = Duration.ofMinutes(10);

    void run(String source) throws IOException {
        target.beginCopy(source, PAUSE);
        String progress = "";
        long since = System.nanoTime();
        while (true) {
            BlobProperties seen = target.getProperties();
            if (seen.getCopyStatus() == CopyStatusType.SUCCESS) return;
            if (seen.getCopyStatus() != CopyStatusType.PENDING) {
                String why = String.valueOf(seen.getCopyStatusDescription());
                throw new IOException("Azure gave the copy up: " + why.replaceAll("\\?\\S*", ""));
            }
            if (!progress.equals(seen.getCopyProgress())) since = System.nanoTime();
            progress = seen.getCopyProgress();
            if (System.nanoTime() - since > STILL_MAX.toNanos()) {
                target.abortCopyFromUrl(seen.getCopyId());
                throw new IOException("Azure's copy stands still at " + progress);
            }
            pause();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}
