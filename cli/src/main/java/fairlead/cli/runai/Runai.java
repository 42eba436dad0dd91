package fairlead.cli.runai;

import fairlead.api.client.Refused;
import fairlead.api.people.ProjectBody;
import fairlead.api.words.Suggestion;
import fairlead.cli.admin.LogOut;
import fairlead.cli.admin.Nodes;
import fairlead.cli.admin.Version;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Family;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.UnavailableVerb;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.pods.RunaiFile;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.Renamed;
import fairlead.dialects.runai.Flags;

import java.io.IOException;
import java.util.List;

/**
 * The command of Run:ai, with its verbs. What the server refuses exits with 1, as its users know.
 */
public final class Runai implements Verb {
    static final Option PROJECT =
            Option.valued(
                    Flags.PROJECT.name(),
                    Flags.PROJECT.letter(),
                    Flags.PROJECT.value(),
                    Flags.PROJECT.help());

    static final int REFUSED = 1;

    private static Family family() {
        return new Family(
                "runai",
                List.of(
                        new RunaiSubmit("submit"),
                        new RunaiSubmit("submit-mpi"),
                        new RunaiListJobs(),
                        new RunaiListProjects(),
                        new RunaiListClusters(),
                        new RunaiDescribe(),
                        new RunaiDescribeNode(),
                        new RunaiTop(),
                        new RunaiDelete(),
                        new RunaiLogs(),
                        new RunaiShell("bash", "NAME"),
                        new RunaiShell("exec", "NAME COMMAND..."),
                        new RunaiAttach(),
                        new RunaiPortForward(),
                        new RunaiConfig(),
                        new RunaiLogin(),
                        new Renamed(List.of("runai logout"), new LogOut()),
                        new RunaiWhoAmI(),
                        new Renamed(
                                List.of("runai list nodes", "runai list node", "runai top nodes"),
                                new Nodes()),
                        new Renamed(List.of("runai version"), new Version()),
                        RunaiSuspend.SUSPEND,
                        RunaiSuspend.RESUME,
                        newer("training", "'runai submit' and the other verbs are for training"),
                        newer("workspace", "'runai submit --interactive' submits one"),
                        newer("workload", "'runai list jobs' shows all jobs"),
                        newer("project", "'runai list projects' shows them")));
    }

    /** A word of newer versions of Run:ai's command. */
    private static Verb newer(String word, String instead) {
        return new UnavailableVerb(
                List.of("runai " + word),
                instead + "; 'fairlead help from-runai' has the other words of newer versions");
    }

    @Override
    public Usage usage() {
        return family().usage(
                        "submit|submit-mpi|list|describe|delete|suspend|resume|logs|bash|exec|attach|port-forward|config|login|logout|whoami|top|version"
                            + " ...",
                        "the verbs of Run:ai's command",
                        "'runai VERB --help' says more about each.");
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            return family().run(arguments.operands(), session);
        } catch (Refused e) {
            throw new Failure(REFUSED, Refusal.words(e));
        }
    }

    /** Refuses a name that no project bears: an empty answer would hide a slip of the pen. */
    static void checkProject(String name, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> known =
                session.client().projects().value().projects().stream()
                        .map(ProjectBody::name)
                        .toList();
        if (known.contains(name)) return;
        throw new Failure(
                REFUSED,
                "the project '"
                        + name
                        + "' does not exist; 'runai list projects' shows those that do."
                        + Suggestion.of(name, known));
    }

    /** The project that is meant: the one said, or the default. */
    static String project(Arguments arguments, Session session)
            throws UsageException, Failure, IOException {
        String project = arguments.text(PROJECT).orElse(RunaiFile.of(session).project());
        if (project != null) return project;
        throw new Failure(
                REFUSED,
                "no project is set; define a default one with 'runai config project NAME', or say"
                        + " -p NAME");
    }
}
