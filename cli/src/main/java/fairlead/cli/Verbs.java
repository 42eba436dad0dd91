package fairlead.cli;

import fairlead.cli.act.verb.Blame;
import fairlead.cli.act.verb.Clusters;
import fairlead.cli.act.verb.CodeFolder;
import fairlead.cli.act.verb.DataVerb;
import fairlead.cli.act.verb.InitVerb;
import fairlead.cli.act.verb.ParseLogs;
import fairlead.cli.act.verb.Query;
import fairlead.cli.act.verb.QueryList;
import fairlead.cli.act.verb.Resubmit;
import fairlead.cli.act.verb.RunHere;
import fairlead.cli.act.verb.Ssh;
import fairlead.cli.act.verb.SubmitHere;
import fairlead.cli.act.verb.Summary;
import fairlead.cli.admin.LogIn;
import fairlead.cli.admin.LogOut;
import fairlead.cli.admin.Nodes;
import fairlead.cli.admin.Project;
import fairlead.cli.admin.Secret;
import fairlead.cli.admin.Server;
import fairlead.cli.admin.ShowAudit;
import fairlead.cli.admin.Tokens;
import fairlead.cli.admin.User;
import fairlead.cli.admin.Version;
import fairlead.cli.admin.WhoAmI;
import fairlead.cli.dlscheduler.RunScheduler;
import fairlead.cli.dlscheduler.SchedulerCancelJob;
import fairlead.cli.dlscheduler.SchedulerGetLogs;
import fairlead.cli.dlscheduler.SchedulerState;
import fairlead.cli.line.Example;
import fairlead.cli.line.UnavailableVerb;
import fairlead.cli.line.Verb;
import fairlead.cli.philly.Philly;
import fairlead.cli.runai.Runai;
import fairlead.cli.shell.Attach;
import fairlead.cli.shell.Bash;
import fairlead.cli.shell.Exec;
import fairlead.cli.shell.PortForward;
import fairlead.cli.verb.Abort;
import fairlead.cli.verb.Delete;
import fairlead.cli.verb.Describe;
import fairlead.cli.verb.ListJobs;
import fairlead.cli.verb.Logs;
import fairlead.cli.verb.PlanAgain;
import fairlead.cli.verb.Priority;
import fairlead.cli.verb.Run;
import fairlead.cli.verb.ShowProfile;
import fairlead.cli.verb.ShowQueue;
import fairlead.cli.verb.ShowSpec;
import fairlead.cli.verb.Simulate;
import fairlead.cli.verb.Snapshot;
import fairlead.cli.verb.Stats;
import fairlead.cli.verb.Wait;
import fairlead.cli.verb.Why;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All verbs, in the order of help. */
public final class Verbs {
    private static final List<String> NAMES =
            List.of(
                    "run",
                    "submit",
                    "list",
                    "queue",
                    "query",
                    "failed",
                    "qq",
                    "qr",
                    "parse",
                    "ssh",
                    "summary",
                    "blame",
                    "local",
                    "describe",
                    "logs",
                    "exec",
                    "bash",
                    "attach",
                    "port-forward",
                    "why",
                    "profile",
                    "wait",
                    "abort",
                    "priority",
                    "resubmit",
                    "delete",
                    "spec",
                    "init",
                    "initi",
                    "initc",
                    "initic",
                    "ls",
                    "upload",
                    "download",
                    "rm",
                    "url",
                    "nodes",
                    "clusters",
                    "config",
                    "stats",
                    "simulate",
                    "snapshot",
                    "plan",
                    "project",
                    "user",
                    "token",
                    "secret",
                    "audit",
                    "login",
                    "logout",
                    "whoami",
                    "server",
                    "version",
                    "completion");

    /** What most people type on most days. */
    private static final List<String> DAILY =
            List.of(
                    "run",
                    "submit",
                    "list",
                    "queue",
                    "why",
                    "logs",
                    "describe",
                    "wait",
                    "abort",
                    "nodes");

    /** The verbs of the Kubernetes DL scheduler, which are commands of their own in {@code bin}. */
    private static final List<String> DLSCHEDULER =
            List.of(
                    "run-scheduler",
                    "scheduler-state",
                    "scheduler-cancel-job",
                    "scheduler-get-logs");

    /** The one verb of Run:ai, which is a command with verbs of its own. */
    private static final List<String> RUNAI = List.of("runai");

    /** The same of Philly. */
    private static final List<String> PHILLY = List.of("p");

    private Verbs() {}

    /** Makes only the verb that is asked for: the others' classes need not be loaded. */
    public static Optional<Verb> named(String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "run" -> new Run();
                    case "submit" -> new SubmitHere();
                    case "list", "ps", "status" -> new ListJobs();
                    case "queue" -> new ShowQueue();
                    case "query", "q" -> new Query();
                    case "failed", "f", "qf" -> QueryList.failed();
                    case "qq" -> QueryList.queued();
                    case "qr" -> QueryList.running();
                    case "parse" -> new ParseLogs();
                    case "ssh" -> new Ssh();
                    case "summary", "s" -> new Summary();
                    case "blame" -> new Blame();
                    case "local" -> new RunHere();
                    case "describe" -> new Describe();
                    case "logs" -> new Logs();
                    case "exec" -> new Exec(CodeFolder::around);
                    case "bash" -> new Bash(CodeFolder::around);
                    case "attach" -> new Attach();
                    case "port-forward" -> new PortForward();
                    case "why" -> new Why();
                    case "profile" -> new ShowProfile();
                    case "wait" -> new Wait();
                    case "abort", "a", "cancel", "stop" -> new Abort();
                    case "priority" -> new Priority();
                    case "resubmit" -> new Resubmit();
                    case "delete" -> new Delete();
                    case "spec" -> new ShowSpec();
                    case "init", "initi", "initc", "initic" -> new InitVerb(name);
                    case "ls" -> DataVerb.list();
                    case "upload", "u" -> DataVerb.upload();
                    case "download", "d" -> DataVerb.download();
                    case "rm" -> DataVerb.remove();
                    case "url" -> DataVerb.url();
                    case "nodes" -> new Nodes();
                    case "clusters" -> new Clusters();
                    case "config" -> new Config();
                    case "stats" -> new Stats();
                    case "simulate" -> new Simulate();
                    case "snapshot" -> new Snapshot();
                    case "plan" -> new PlanAgain();
                    case "project" -> new Project();
                    case "user" -> new User();
                    case "token" -> new Tokens();
                    case "secret" -> new Secret();
                    case "audit" -> new ShowAudit();
                    case "login" -> new LogIn();
                    case "logout" -> new LogOut();
                    case "whoami" -> new WhoAmI();
                    case "server" -> new Server();
                    case "version" -> new Version();
                    case "completion" -> new Completion();
                    case "run-scheduler" -> new RunScheduler();
                    case "scheduler-state" -> new SchedulerState();
                    case "scheduler-cancel-job" -> new SchedulerCancelJob();
                    case "scheduler-get-logs" -> new SchedulerGetLogs();
                    case "runai" -> new Runai();
                    case "p" -> new Philly();
                    case "monitor", "do", "inject", "i", "sync", "gc", "update_config" ->
                            unavailable(name);
                    default -> null;
                });
    }

    /** What ACT's forerunner and Philly's command had, and no help lists. */
    private static Verb unavailable(String name) {
        return new UnavailableVerb(
                List.of(name),
                switch (name) {
                    case "monitor" ->
                            "a line 'retries: N' in the config file tries again what failed, as"
                                    + " --retries N does for jobs without one";
                    case "do" ->
                            "the queue of the server decides what runs where, and 'fairlead"
                                    + " submit' is all that it needs";
                    case "sync" ->
                            "'fairlead init' uploads the code, and 'fairlead upload' of the data"
                                    + " only what has changed";
                    case "gc" ->
                            "nodes keep nothing of a job that has ended; 'fairlead delete JOB'"
                                    + " removes its log";
                    case "update_config" ->
                            "config files are read anew by each command, and 'fairlead config"
                                    + " check' says what is wrong in them";
                    default -> "the server keeps every job: 'fairlead list --all' shows them";
                });
    }

    public static List<String> names() {
        var names = new ArrayList<>(NAMES);
        names.addAll(DLSCHEDULER);
        names.addAll(RUNAI);
        names.addAll(PHILLY);
        return names;
    }

    public static List<Verb> all() {
        return named(names());
    }

    static List<Verb> daily() {
        return named(DAILY);
    }

    /** Our own verbs. */
    static List<Verb> own() {
        return named(NAMES);
    }

    static List<Verb> dlscheduler() {
        return named(DLSCHEDULER);
    }

    static List<Verb> runai() {
        return named(RUNAI);
    }

    static List<Verb> philly() {
        return named(PHILLY);
    }

    /** The verbs that are also commands in {@code bin}. */
    static List<Verb> commands() {
        var verbs = new ArrayList<>(dlscheduler());
        verbs.addAll(runai());
        verbs.addAll(philly());
        return verbs;
    }

    private static List<Verb> named(List<String> names) {
        var verbs = new ArrayList<Verb>();
        for (String name : names) verbs.add(named(name).orElseThrow());
        return verbs;
    }

    /** Every example of every help text. */
    public static List<Example> examples() {
        var examples = new ArrayList<Example>();
        for (Verb verb : all()) examples.addAll(verb.usage().examples());
        return examples;
    }
}
