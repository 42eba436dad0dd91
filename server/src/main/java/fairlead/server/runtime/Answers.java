package fairlead.server.runtime;

import fairlead.control.Refused;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for the controller's answers. */
public final class Answers {
    private Answers() {}

    /** After a timeout what was asked may still be done, which the refusal says. */
    public static <T> T await(CompletableFuture<T> answer, Duration patience)
            throws Refused, InterruptedException {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Refused refused) throw refused;
            throw new IllegalStateException(failure.getCause());
        } catch (TimeoutException _) {
            throw new Refused(
                    Refused.Kind.UNDECIDED,
                    "the server is busy and did not answer within "
                            + patience.toSeconds()
                            + " s; it may still be done: look first, or repeat with the same"
                            + " request");
        }
    }
}
