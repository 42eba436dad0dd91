package fairlead.cli.runai;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.shell.Forwarder;
import fairlead.cli.shell.PortForward;
import fairlead.cli.shell.PortPair;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code port-forward}: reaches ports of the first pod of a running job. */
final class RunaiPortForward implements Verb {
    private static final Option PORT =
            Option.valued(
                    "--port", null, "LOCAL:PORT", "a port here and one there; may be repeated");

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("runai port-forward"),
                "NAME [LOCAL:PORT...]",
                Usage.MANY,
                "reach ports of a running job from this machine",
                List.of(PORT, PortForward.ADDRESS, Runai.PROJECT),
                List.of(
                        new Example(
                                "fairlead runai port-forward " + Example.JOB + " --port 8080:80",
                                "refused for a job that has ended",
                                Runai.REFUSED)));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> words = arguments.some("job");
        var ports = new ArrayList<>(arguments.all(PORT));
        ports.addAll(words.subList(1, words.size()));
        if (ports.isEmpty())
            throw new UsageException(
                    "which port? Say it as in: runai port-forward "
                            + words.getFirst()
                            + " --port 8080:80");
        var pairs = PortPair.all(ports);
        var job = RunaiJobs.running("ports cannot be reached in", arguments, session);
        return new Forwarder(session, job.id(), null)
                .run(pairs, arguments.text(PortForward.ADDRESS).orElse(Forwarder.LOOPBACK));
    }
}
