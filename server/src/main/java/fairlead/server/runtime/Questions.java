package fairlead.server.runtime;

import fairlead.control.Message;
import fairlead.control.Refused;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Asks the controller and waits for its answer: what it says is durable by then. All interfaces
 * share one. Any thread.
 */
public final class Questions {
    /** A tick with a commit takes milliseconds; only a stuck disk takes longer than this. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    private final Predicate<Message> inbox;
    private final Supplier<Optional<String>> damage;

    private final ReentrantLock changing = new ReentrantLock();

    /**
     * @param damage what is wrong with the journal's file; no new job is entrusted to it then
     */
    public Questions(Predicate<Message> inbox, Supplier<Optional<String>> damage) {
        this.inbox = inbox;
        this.damage = damage;
    }

    /**
     * To be held from the look at a person or a project to the answer, so that no change of another
     * call is lost.
     */
    public ReentrantLock changing() {
        return changing;
    }

    public <T> T ask(Message.Asked<T> question) throws Refused, InterruptedException {
        if (question instanceof Message.Submit) {
            Optional<String> words = damage.get();
            if (words.isPresent()) throw new Refused(Refused.Kind.UNAVAILABLE, words.get());
        }
        if (!inbox.test(question))
            throw new Refused(Refused.Kind.BUSY, "too many requests wait; try again");
        return Answers.await(question.answer(), ANSWER_MAX);
    }
}
