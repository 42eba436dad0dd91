package fairlead.engines.local;

import fairlead.job.Container;

import java.util.ArrayList;
import java.util.List;

/** What a spec says of its container that means nothing where there are none, in words. */
final class PassedOver {
    private PassedOver() {}

    static List<String> of(Container container) {
        var facts = new ArrayList<String>();
        container
                .image()
                .ifPresent(
                        image ->
                                facts.add(
                                        "image "
                                                + image
                                                + " is ignored: this cluster runs without"
                                                + " containers"));
        var details = container.details();
        if (details.tty())
            facts.add(
                    "tty is ignored: a task of this cluster has no terminal of its own; 'fairlead"
                            + " bash' opens one beside it");
        var needless = needless(details);
        if (!needless.isEmpty())
            facts.add(
                    "not needed here, as tasks run on the machine itself: "
                            + String.join(", ", needless));
        return facts;
    }

    private static List<String> needless(Container.Details details) {
        var words = new ArrayList<String>();
        if (details.podName().isPresent()) words.add("podName");
        if (details.shmBytes() > 0) words.add("shm");
        if (details.pullPolicy().isPresent()) words.add("pullPolicy");
        if (!details.pullSecrets().isEmpty()) words.add("pullSecrets");
        if (details.service() == Container.Service.NODE_PORT) words.add("service");
        if (details.hostIpc()) words.add("hostIpc");
        if (details.hostNetwork()) words.add("hostNetwork");
        return words;
    }
}
