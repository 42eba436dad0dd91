package fairlead.cli.act;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.JobPage;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.api.spec.SpecBody;
import fairlead.cli.job.JobIds;
import fairlead.cli.job.JobPages;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.config.ClusterConfig;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** The jobs that somebody means who speaks as ACT's users do. */
public final class ActJobs {
    /** So many are looked through for those of one experiment: a second's work for the server. */
    private static final int LOOKED_THROUGH_MAX = 10_000;

    private ActJobs() {}

    /**
     * The jobs that the words mean, by their whole ids. All are found before the first is used, so
     * that one that is unknown or could be several leaves the others alone.
     */
    public static SequencedMap<String, JobDetail> find(List<String> words, Session session)
            throws UsageException, Failure, Refused, IOException {
        var found = new LinkedHashMap<String, JobDetail>();
        for (String id : JobIds.of(words)) {
            JobDetail detail = session.client().job(id).value();
            found.put(detail.job().id(), detail);
        }
        return found;
    }

    /** What a list showed, whether there was more, and what the server said beside it. */
    public record Listed(List<JobBody> jobs, boolean isMore, List<String> notes) {}

    /**
     * The newest jobs in one of these states: those of the config's experiment, or all where there
     * is no config.
     *
     * @param states null in it means any
     */
    public static Listed newest(List<String> states, int most, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        Optional<ClusterConfig> config = Configs.asked(arguments, session);
        String cluster = Configs.cluster(arguments, config);
        var jobs = new ArrayList<JobBody>();
        var notes = new LinkedHashSet<String>();
        boolean isMore = false;
        for (String state : states) {
            var filter = new JobFilter(state, null, null, cluster, null, null);
            var all = new ArrayList<JobBody>();
            int looked = config.isPresent() ? LOOKED_THROUGH_MAX : most;
            try {
                isMore |= JobPages.pages(session.client(), filter, looked, all, notes);
            } catch (Refused e) {
                throw Targets.explained(e, config, session);
            }
            for (JobBody job : all) {
                boolean isMeant =
                        config.isEmpty()
                                || job.name().equals(SpecBody.legalName(config.get().experiment()));
                if (isMeant) jobs.add(job);
            }
        }
        if (states.size() > 1) jobs.sort((a, b) -> b.submitted().compareTo(a.submitted()));
        isMore |= jobs.size() > most;
        return new Listed(
                List.copyOf(jobs.subList(0, Math.min(jobs.size(), most))),
                isMore,
                List.copyOf(notes));
    }

    /** A list says only how a long command begins, and what {@code -bp} hands over is behind it. */
    public static JobBody whole(JobBody job, Session session)
            throws UsageException, Failure, Refused, IOException {
        boolean isCut = job.command() != null && job.command().endsWith("...");
        if (!isCut) return job;
        try {
            return session.client().job(job.id()).value().job();
        } catch (Refused e) {
            if (e.is(ErrorCode.NOT_FOUND)) return job;
            throw e;
        }
    }

    public static JobPage page(Listed listed) {
        return new JobPage(listed.jobs(), null, listed.notes(), null);
    }
}
