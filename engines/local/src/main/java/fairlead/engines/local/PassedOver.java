package fairlead.engines.local;

import fairlead.job.Container;

import java.util.ArrayList;
import java.util.List;

/** What a spec says of its container that means nothing on this machine, in words. */
final class PassedOver {
    /** What every container has; some dialects say it of jobs that say nothing. */
    private static final long SHM_USUAL = 64L << 20;

    private PassedOver() {}

    static List<String> of(Container.Details details, boolean isContained) {
        var facts = new ArrayList<String>();
        if (details.tty())
            facts.add(
                    "tty is ignored: a task of this cluster has no terminal of its own; 'fairlead"
                            + " bash' opens one beside it");
        var needless = needless(details, isContained);
        if (!needless.isEmpty())
            facts.add(
                    (isContained
                                    ? "without effect on containers of this machine: "
                                    : "not needed here, as tasks run on the machine itself: ")
                            + String.join(", ", needless));
        return facts;
    }

    private static List<String> needless(Container.Details details, boolean isContained) {
        var words = new ArrayList<String>();
        if (details.shmBytes() > SHM_USUAL && !isContained) words.add("shm");
        if (details.pullPolicy().isPresent() && !isContained) words.add("pullPolicy");
        if (!details.pullSecrets().isEmpty()) words.add("pullSecrets");
        if (details.service() == Container.Service.NODE_PORT) words.add("service");
        if (details.hostIpc() && !isContained) words.add("hostIpc");
        if (details.hostNetwork() && !isContained) words.add("hostNetwork");
        return words;
    }
}
