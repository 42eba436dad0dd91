package fairlead.cli.act;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;

/**
 * One question to a store of blobs, by the signature that the job will have.
 *
 * @param status of the answer
 * @param code what Azure calls the reason; empty where it gives none
 */
record StoreQuestion(int status, String code) {
    /** A store that does not answer in this time is one that the user hears of. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final String NO_CONTAINER = "ContainerNotFound";

    static StoreQuestion ask(String method, String url) throws IOException {
        var question = (HttpURLConnection) URI.create(url).toURL().openConnection();
        question.setRequestMethod(method);
        question.setRequestProperty("x-ms-version", "2019-12-12");
        question.setConnectTimeout((int) PATIENCE.toMillis());
        question.setReadTimeout((int) PATIENCE.toMillis());
        int status = question.getResponseCode();
        String code = question.getHeaderField("x-ms-error-code");
        question.disconnect();
        return new StoreQuestion(status, code == null ? "" : code);
    }

    boolean isAnswered() {
        return status < 300;
    }

    boolean isMissing() {
        return status == 404;
    }

    boolean hasNoContainer() {
        return isMissing() && NO_CONTAINER.equals(code);
    }

    boolean isRefused() {
        return status == 401 || status == 403;
    }

    /** Such as {@code 403 AuthenticationFailed}. */
    @Override
    public String toString() {
        return (status + " " + code).strip();
    }
}
