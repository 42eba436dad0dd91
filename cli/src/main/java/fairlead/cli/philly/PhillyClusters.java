package fairlead.cli.philly;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.api.clusters.NodeBody;
import fairlead.api.people.ProjectBody;
import fairlead.cli.act.Targets;
import fairlead.cli.job.JobIds;
import fairlead.cli.job.JobPages;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.philly.PhillyConfig;
import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.Problem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The clusters that a call of {@code p} is about: those of the config files, or the one that {@code
 * -c} names. Without config files, and without {@code -c}, all of the server.
 */
final class PhillyClusters {
    /** More are never unfinished on one server. */
    private static final int ACTIVE_MAX = 1_000_000;

    /** As many as Philly's command showed of one's own. */
    private static final int FINISHED_SHOWN = 250;

    /** Each is asked for on its own; with more the choice would be the same. */
    private static final int QUEUED_MAX = 200;

    private final Session session;
    private final List<ClusterConfig> configs;
    private final boolean isNamed;

    /** The server's cluster that is meant where there is no config; null: all of them. */
    private final String only;

    private final Targets targets;

    /**
     * @param isNamed whether the user has named the one that there is
     */
    private PhillyClusters(
            Session session, List<ClusterConfig> configs, boolean isNamed, String only) {
        this.session = session;
        this.configs = configs;
        this.isNamed = isNamed;
        this.only = only;
        this.targets = new Targets(session);
    }

    static PhillyClusters of(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        PhillyClusters named = named(arguments, session);
        named.refuseUnknown();
        return named;
    }

    /** A cluster that the server does not know would look like one that is there and idle. */
    private void refuseUnknown() throws UsageException, Failure, Refused, IOException {
        if (configs.isEmpty()) {
            if (only != null) targets.refuseUnknown(only);
            return;
        }
        for (ClusterConfig config : usable()) {
            Optional<Problem> mistake = targets.mistake(config.target().orElseThrow());
            if (mistake.isPresent()) throw new Failure(ExitCode.USAGE, mistake.get().toString());
        }
    }

    private static PhillyClusters named(Arguments arguments, Session session) throws Failure {
        var terminal = session.terminal();
        Optional<PhillyConfig> found;
        try {
            found = PhillyConfig.find(terminal.folder(), terminal.environment());
        } catch (ConfigException e) {
            throw new Failure(ExitCode.USAGE, e.getMessage());
        }
        List<ClusterConfig> all = found.map(PhillyConfig::clusters).orElse(List.of());
        Optional<String> only = arguments.text(Option.CLUSTER);
        if (only.isEmpty()) return new PhillyClusters(session, all, false, null);
        if (found.isEmpty()) return new PhillyClusters(session, all, false, only.get());
        for (ClusterConfig config : all) {
            if (config.name().equals(only.get())) {
                return new PhillyClusters(session, List.of(config), true, null);
            }
        }
        throw new Failure(
                ExitCode.USAGE,
                "aux_data/configs names no cluster '" + only.get() + "', only " + names(all));
    }

    private static String names(List<ClusterConfig> configs) {
        var names = new ArrayList<String>();
        for (ClusterConfig config : configs) names.add(config.name());
        return String.join(", ", names);
    }

    /** Those that jobs can be sent to, of which there must be one. */
    List<ClusterConfig> usable() throws Failure {
        List<ClusterConfig> usable =
                configs.stream().filter(config -> config.target().isPresent()).toList();
        if (!usable.isEmpty()) return usable;
        if (configs.isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "there is no aux_data/configs/philly_vc.yaml here; docs/philly.md has one to"
                            + " begin with");
        }
        throw new Failure(
                ExitCode.USAGE,
                "Philly is gone, and "
                        + names(configs)
                        + " cannot be reached: a line 'engine: NAME' in"
                        + " aux_data/configs/philly_vc.yaml names a cluster of your Fairlead"
                        + " server instead");
    }

    /** Why a job goes to the one that is usable. */
    String whyOnly() {
        if (isNamed) return "as -c says";
        return configs.size() == 1
                ? "the only cluster"
                : "the only one of %d clusters with an engine".formatted(configs.size());
    }

    /** The config of the cluster that a job was submitted to; empty where it is not here. */
    Optional<ClusterConfig> of(ActJob job) {
        return configs.stream().filter(config -> config.name().equals(job.config())).findFirst();
    }

    /** The jobs that words mean, by their whole ids. All are found before the first is used. */
    SequencedMap<String, JobDetail> find(List<String> words)
            throws UsageException, Failure, Refused, IOException {
        var found = new LinkedHashMap<String, JobDetail>();
        for (String word : JobIds.of(words)) {
            JobDetail job = find(word);
            found.put(job.job().id(), job);
        }
        return found;
    }

    private JobDetail find(String word) throws UsageException, Failure, Refused, IOException {
        List<JobDetail> matches = matches(word);
        List<JobDetail> here = matches.stream().filter(this::isHere).toList();
        if (here.size() == 1) return here.getFirst();
        var lines = new ArrayList<String>();
        for (JobDetail job : here.isEmpty() ? matches : here) {
            lines.add("\n  " + name(job) + ": " + job.job().id());
        }
        throw new Failure(
                ExitCode.USAGE,
                (here.isEmpty()
                                ? "no job of these clusters ends with '"
                                : "several jobs end with '")
                        + word
                        + (here.isEmpty() ? "'" : "' or are called so")
                        + (here.isEmpty() && !matches.isEmpty() ? "; elsewhere:" : "")
                        + String.join("", lines));
    }

    private List<JobDetail> matches(String word)
            throws UsageException, Failure, Refused, IOException {
        try {
            return List.of(session.client().job(word).value());
        } catch (Refused e) {
            if (e.is(ErrorCode.NOT_FOUND)) return List.of();
            if (!e.is(ErrorCode.AMBIGUOUS) || e.body().matches() == null) throw e;
            var matches = new ArrayList<JobDetail>();
            for (String id : e.body().matches()) matches.add(session.client().job(id).value());
            return matches;
        }
    }

    private boolean isHere(JobDetail job) {
        if (configs.isEmpty()) return isMeant(job.job().cluster());
        Optional<String> name = ActOrigin.of(job).map(ActJob::config);
        for (ClusterConfig config : configs) {
            boolean isOurs = name.map(config.name()::equals).orElse(true);
            if (isOurs && cluster(config).equals(job.job().cluster())) return true;
        }
        return false;
    }

    /** Of the server's clusters, where there is no config. */
    private boolean isMeant(String cluster) {
        return only == null || only.equals(cluster);
    }

    /** What the job's cluster is called here: by the config that it was submitted with. */
    static String name(JobDetail job) {
        return ActOrigin.of(job).map(ActJob::config).orElse(job.job().cluster());
    }

    private static String cluster(ClusterConfig config) {
        return config.target().map(Target::cluster).orElse("");
    }

    /** The caller's own jobs on these clusters: the unfinished, then the last that finished. */
    List<JobBody> own() throws UsageException, Failure, Refused, IOException {
        String me = session.client().me().value().name();
        var jobs = new ArrayList<JobBody>();
        var filter = new JobFilter("active", me, null, null, null, null);
        JobPages.pages(session.client(), filter, ACTIVE_MAX, jobs);
        JobPages.pages(session.client(), filter.state("finished"), FINISHED_SHOWN, jobs);
        jobs.removeIf(job -> !isOnThese(job));
        return jobs;
    }

    /**
     * The caller's own jobs that wait, longest first, by the names of their clusters; an entry for
     * each cluster, also where nothing waits.
     */
    Map<String, List<JobDetail>> queued() throws UsageException, Failure, Refused, IOException {
        var queued = new LinkedHashMap<String, List<JobDetail>>();
        for (ClusterConfig config : configs) queued.put(config.name(), new ArrayList<>());
        var waiting = new ArrayList<JobBody>(own());
        waiting.removeIf(job -> !job.state().equals("queued"));
        waiting.sort(Comparator.comparing(JobBody::submitted).thenComparing(JobBody::id));
        for (JobBody job : waiting.subList(0, Math.min(waiting.size(), QUEUED_MAX))) {
            JobDetail detail = session.client().job(job.id()).value();
            List<JobDetail> known = queued.get(name(detail));
            if (known != null) known.add(detail);
        }
        return queued;
    }

    /** Everybody's unfinished jobs that {@link #usages} counts, whatever they were sent with. */
    List<JobBody> active() throws UsageException, Failure, Refused, IOException {
        var jobs = new ArrayList<JobBody>();
        JobPages.pages(session.client(), JobFilter.ALL.state("active"), ACTIVE_MAX, jobs);
        if (configs.isEmpty()) {
            jobs.removeIf(job -> !isMeant(job.cluster()));
            return jobs;
        }
        Map<String, ProjectBody> quotas = quotas();
        jobs.removeIf(job -> configs.stream().noneMatch(config -> counts(config, job, quotas)));
        return jobs;
    }

    /** A cluster with a quota is what its project holds; any other is all that runs there. */
    private static boolean counts(
            ClusterConfig config, JobBody job, Map<String, ProjectBody> quotas) {
        Optional<String> project = config.target().flatMap(Target::project);
        if (project.isPresent() && quotas.containsKey(project.get())) {
            return project.get().equals(job.project());
        }
        return cluster(config).equals(job.cluster());
    }

    private boolean isOnThese(JobBody job) {
        if (configs.isEmpty()) return isMeant(job.cluster());
        return configs.stream()
                .anyMatch(
                        config ->
                                cluster(config).equals(job.cluster())
                                        && (job.config() == null
                                                || job.config().equals(config.name())));
    }

    /**
     * How a cluster is used.
     *
     * @param quota what the project of the config is guaranteed, or all GPUs where nobody has set
     *     any
     */
    record Usage(String name, double quota, double active) {
        double free() {
            return quota - active;
        }

        /** As Philly counted it, which never divides by nothing. */
        long percent() {
            return Math.round(100 * active / (quota + 1));
        }
    }

    /** Each of these clusters in their order, or those of the server. */
    List<Usage> usages() throws UsageException, Failure, Refused, IOException {
        List<NodeBody> nodes = session.client().nodes(null).value().nodes();
        var usages = new ArrayList<Usage>();
        if (configs.isEmpty()) {
            var clusters = new LinkedHashMap<String, Usage>();
            for (NodeBody node : nodes) {
                if (!isMeant(node.cluster())) continue;
                clusters.computeIfAbsent(node.cluster(), name -> usage(name, name, nodes));
            }
            return List.copyOf(clusters.values());
        }
        Map<String, ProjectBody> quotas = quotas();
        for (ClusterConfig config : configs) {
            if (config.target().isEmpty()) continue;
            Target target = config.target().get();
            ProjectBody project = target.project().map(quotas::get).orElse(null);
            usages.add(
                    project != null
                            ? new Usage(config.name(), project.quota(), project.gpusHeld())
                            : usage(config.name(), target.cluster(), nodes));
        }
        return usages;
    }

    /** The projects that have one, by their names. */
    private Map<String, ProjectBody> quotas() throws UsageException, Failure, Refused, IOException {
        var quotas = new LinkedHashMap<String, ProjectBody>();
        for (ProjectBody project : targets.projects()) {
            if (project.quota() != null) quotas.put(project.name(), project);
        }
        return quotas;
    }

    private static Usage usage(String name, String cluster, List<NodeBody> nodes) {
        int all = 0;
        int free = 0;
        for (NodeBody node : nodes) {
            if (!node.cluster().equals(cluster) || !node.ready()) continue;
            all += node.gpus();
            free += node.gpusFree();
        }
        return new Usage(name, all, all - free);
    }
}
