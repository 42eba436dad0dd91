package fairlead.cli.act;

import fairlead.api.client.Refused;
import fairlead.api.clusters.ClusterBody;
import fairlead.api.people.ProjectBody;
import fairlead.cli.job.ClusterKind;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.Problem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Whether the server knows what the engines of config files name. It is asked once. */
public final class Targets {
    private final Session session;
    private List<String> clusters;
    private List<ProjectBody> projects;

    public Targets(Session session) {
        this.session = session;
    }

    /** What is wrong with it; empty where the server knows it. */
    public Optional<Problem> mistake(Target target)
            throws UsageException, Failure, Refused, IOException {
        List<String> clusters = clusters();
        if (!clusters.contains(target.cluster())) {
            return mistake(target, target.cluster(), "cluster", clusters);
        }
        if (target.project().isEmpty()) return Optional.empty();
        String project = target.project().get();
        List<String> known = projects().stream().map(ProjectBody::name).toList();
        if (known.contains(project)) return Optional.empty();
        return mistake(target, project, "project", known);
    }

    /**
     * A refusal of what a config's engine names, in words that lead to its line; any other as it
     * is.
     */
    public static Failure explained(
            Refused refused, Optional<ClusterConfig> config, Session session)
            throws UsageException, Failure, Refused, IOException {
        Optional<Target> target = config.flatMap(ClusterConfig::target);
        if (target.isEmpty()) throw refused;
        Optional<Problem> mistake = new Targets(session).mistake(target.get());
        if (mistake.isEmpty()) throw refused;
        return new Failure(ExitCode.USAGE, mistake.get().toString());
    }

    /** The same of a spec that was made by a config, and where else the mistake may be. */
    static Failure explained(Failure refusal, ClusterConfig config, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (refusal.exitCode() != ExitCode.USAGE) return refusal;
        Optional<Problem> engine = new Targets(session).mistake(config.target().orElseThrow());
        if (engine.isPresent()) return new Failure(ExitCode.USAGE, engine.get().toString());
        Path folder = session.terminal().folder();
        boolean isBelow = config.file().startsWith(folder);
        Path file = isBelow ? folder.relativize(config.file()) : config.file();
        return new Failure(refusal.exitCode(), file + ": " + refusal.getMessage());
    }

    /**
     * @throws Failure where the server has no cluster that is called so
     */
    public void refuseUnknown(String cluster) throws UsageException, Failure, Refused, IOException {
        if (knows(cluster)) return;
        throw new Failure(
                ExitCode.USAGE,
                "no cluster '%s'; known: %s".formatted(cluster, String.join(", ", clusters())));
    }

    public boolean knows(String cluster) throws UsageException, Failure, Refused, IOException {
        return clusters().contains(cluster);
    }

    /** By their names. */
    public List<String> clusters() throws UsageException, Failure, Refused, IOException {
        if (clusters == null) {
            clusters = new ClusterKind(session).all().stream().map(ClusterBody::name).toList();
        }
        return clusters;
    }

    /** All of the server, as they were when it was first asked. */
    public List<ProjectBody> projects() throws UsageException, Failure, Refused, IOException {
        if (projects == null) projects = session.client().projects().value().projects();
        return projects;
    }

    private static Optional<Problem> mistake(
            Target target, String name, String what, List<String> known) {
        return Optional.of(
                new Problem(
                        target.spot().file(),
                        target.spot().line(),
                        "engine names '%s', which is no %s of the server; known: %s"
                                .formatted(name, what, String.join(", ", known))));
    }
}
