package fairlead.engines.azureml.rest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** What a service answered to a call that it took. */
public record Answer(int status, byte[] bytes) {
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Nothing where there is no body, or it is not JSON. */
    public Doc doc() {
        try {
            return bytes.length == 0 ? Doc.NONE : Doc.parse(text());
        } catch (IOException _) {
            return Doc.NONE;
        }
    }
}
