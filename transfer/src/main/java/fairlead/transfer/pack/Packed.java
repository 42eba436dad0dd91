package fairlead.transfer.pack;

import java.nio.charset.StandardCharsets;

/** One entry of an archive: what was found, and what it is in there. */
record Packed(Found found, Content content) {
    byte[] name() {
        return found.path().getBytes(StandardCharsets.UTF_8);
    }
}
