package fairlead.cli.philly;

import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.act.ActAgain;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.spec.SpecYaml;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.config.ClusterConfig;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Submits a job again where it was, and stops it where it is active. Without a job it evens out the
 * clusters: the job that has waited longest moves to a cluster where nothing waits.
 */
final class PResubmit implements Verb {
    /** A job that waits for less may well start before it would elsewhere. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    @Override
    public Usage usage() {
        return new Usage(
                List.of("p resubmit"),
                "[JOB]",
                1,
                false,
                "submit a job again; without one, move what waits longest to an idle cluster",
                "Without a job: of a cluster where more than one of your jobs waits, the one that"
                        + " has waited\nlongest, and longer than an hour, moves to a cluster where"
                        + " none of yours waits.",
                PSubmit.OPTIONS,
                List.of(Example.of("fairlead p resubmit " + Example.JOB, "any end of the id")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var clusters = PhillyClusters.of(arguments, session);
        if (arguments.operands().isEmpty()) return rebalance(clusters, arguments, session);
        JobDetail job = clusters.find(arguments.operands()).firstEntry().getValue();
        Optional<ActJob> act = ActOrigin.of(job);
        Optional<ClusterConfig> config = act.flatMap(clusters::of);
        if (config.isPresent()) {
            return move(job, act.get(), config.get(), arguments, session);
        }
        if (arguments.has(ActOptions.NO_SUBMIT)) {
            session.out().print(SpecYaml.of(session.client().spec(job.job().id()).value()));
            return ExitCode.OK;
        }
        Integer gpus = arguments.numberOrNull(Option.GPUS, 0);
        var answer =
                act.isPresent()
                        ? ActAgain.asItWas(job, act.get(), gpus, session)
                        : session.client().resubmit(job.job().id(), gpus);
        for (String id : answer.value().ids()) session.out().line(id);
        return ExitCode.OK;
    }

    private static int move(
            JobDetail job, ActJob act, ClusterConfig to, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var again = new ActAgain(arguments, session);
        if (arguments.has(ActOptions.NO_SUBMIT)) {
            session.out().print(SpecYaml.of(again.checked(job, act, to)));
            return ExitCode.OK;
        }
        for (String id : again.ready(job, act, to).submit(session).value().ids())
            session.out().line(id);
        return ExitCode.OK;
    }

    private static int rebalance(PhillyClusters clusters, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<ClusterConfig> usable = clusters.usable();
        Map<String, List<JobDetail>> queued = clusters.queued();
        JobDetail longest = null;
        for (ClusterConfig config : usable) {
            List<JobDetail> waiting = queued.get(config.name());
            if (waiting.size() < 2
                    || waited(waiting.getFirst(), session).compareTo(PATIENCE) <= 0) {
                continue;
            }
            boolean isLonger =
                    longest == null
                            || waited(waiting.getFirst(), session)
                                            .compareTo(waited(longest, session))
                                    > 0;
            if (isLonger) longest = waiting.getFirst();
        }
        ClusterConfig idle = null;
        for (ClusterConfig config : usable) {
            if (idle == null && queued.get(config.name()).isEmpty()) idle = config;
        }
        if (longest == null || idle == null) {
            session.say(
                    longest == null
                            ? "nothing to move: no job of yours has waited for more than an hour"
                                    + " behind another"
                            : "nothing to move to: a job of yours waits on every cluster");
            return ExitCode.OK;
        }
        session.say(
                longest.job().id()
                        + " has waited on "
                        + PhillyClusters.name(longest)
                        + " for "
                        + Words.age(waited(longest, session))
                        + " and moves to "
                        + idle.name());
        return move(longest, ActOrigin.of(longest).orElseThrow(), idle, arguments, session);
    }

    private static Duration waited(JobDetail job, Session session) {
        return Duration.between(Words.instant(job.job().submitted()), session.now());
    }
}
