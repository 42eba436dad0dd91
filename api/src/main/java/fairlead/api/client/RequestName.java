package fairlead.api.client;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.UUID;

/** A name that no other request has: 128 random bits. */
final class RequestName {
    private static final int BYTES = 16;

    private RequestName() {}

    static String fresh() {
        // The same source as SecureRandom's, without the 10 ms that its providers take to load.
        try (var random = new FileInputStream("/dev/urandom")) {
            return HexFormat.of().formatHex(random.readNBytes(BYTES));
        } catch (IOException _) {
            return UUID.randomUUID().toString();
        }
    }
}
