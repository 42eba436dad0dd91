package fairlead.transfer.pack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/** Symbolic links in an archive: their content is where they lead. */
final class Links {
    private Links() {}

    private static byte[] target(Path link) throws IOException {
        return Files.readSymbolicLink(link).toString().getBytes(StandardCharsets.UTF_8);
    }

    static Content read(Path link) throws IOException {
        byte[] target = target(link);
        var crc = new CRC32();
        crc.update(target);
        var slice = new Content.Slice(target.length, ContentReader.sha256().digest(target));
        return new Content(target.length, (int) crc.getValue(), false, List.of(slice));
    }

    static byte[] slice(Path link, Content content) throws IOException {
        byte[] target = target(link);
        byte[] hash = ContentReader.sha256().digest(target);
        if (!Arrays.equals(hash, content.slices().getFirst().hash()))
            throw new ContentReader.Changed(link.toString());
        return target;
    }
}
