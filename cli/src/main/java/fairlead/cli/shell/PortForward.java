package fairlead.cli.shell;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Makes ports of a running task ports of this machine, for as long as it runs. */
public final class PortForward implements Verb {
    public static final Option ADDRESS =
            Option.valued(
                    "--address", null, "ADDRESS", "where to listen here; by default 127.0.0.1");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("port-forward"),
                "JOB [LOCAL:]PORT...",
                Usage.MANY,
                false,
                "reach ports of a running job from this machine",
                "Listens here on LOCAL, or on PORT itself, and carries each connection to PORT of"
                    + " the\n"
                    + "task. ':PORT' and '0:PORT' take any free port here. A connection to a port"
                    + " where\n"
                    + "nobody listens yet fails, and the others go on. It all ends with the job;"
                    + " Ctrl-C ends it, and the job goes on.",
                List.of(Exec.TASK, ADDRESS),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead port-forward " + Example.JOB + " 8001:8888",
                                "a notebook of the job, at http://localhost:8001"),
                        Example.refusedWhenEnded(
                                "fairlead port-forward --task main/0 --address 0.0.0.0 "
                                        + Example.JOB
                                        + " :6006 :8888",
                                "two of its ports at free ones here, also for other machines")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> words = arguments.some("job");
        if (words.size() == 1)
            throw new UsageException(
                    "which port? Say it after the job: fairlead port-forward "
                            + words.getFirst()
                            + " 8001:8888");
        var pairs = PortPair.all(words.subList(1, words.size()));
        return new Forwarder(session, words.getFirst(), arguments.text(Exec.TASK).orElse(null))
                .run(pairs, arguments.text(ADDRESS).orElse(Forwarder.LOOPBACK));
    }
}
