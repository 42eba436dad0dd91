package fairlead.engines.yarn.master;

import fairlead.engines.yarn.relay.Call;
import fairlead.engines.yarn.relay.RefusedException;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What ended tasks have written last and nobody has read: a file beside the master for each, which
 * goes to the application's folder when the master goes before somebody has come. Any thread.
 */
final class Rests {
    private final Map<Integer, Long> starts = new ConcurrentHashMap<>();

    private static java.nio.file.Path file(int rank) {
        return java.nio.file.Path.of("rest." + rank);
    }

    /** Takes it from a keeper. */
    void take(int rank, DataInputStream in) throws IOException {
        long start = in.readLong();
        var part = java.nio.file.Path.of("rest." + rank + "." + Thread.currentThread().getId());
        Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, file(rank), StandardCopyOption.REPLACE_EXISTING);
        starts.put(rank, start);
    }

    /** Sends what there is from the offset on, after the offset where that begins. */
    void send(int rank, long offset, Call call) throws IOException {
        Long start = starts.get(rank);
        if (start == null) throw new RefusedException("nothing is left of its log here");
        call.accept();
        try (var in = Files.newInputStream(file(rank))) {
            long skip = Math.max(0, Math.min(offset - start, Files.size(file(rank))));
            in.skipNBytes(skip);
            call.out().writeLong(start + skip);
            in.transferTo(call.out());
        }
        call.endOutput();
    }

    /** Named by rank and offset. */
    void save(FileSystem files, Path folder) throws IOException {
        for (var each : starts.entrySet()) {
            var to = new Path(folder, "log." + each.getKey() + "." + each.getValue());
            files.copyFromLocalFile(new Path(file(each.getKey()).toUri()), to);
        }
    }
}
