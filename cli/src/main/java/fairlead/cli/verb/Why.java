package fairlead.cli.verb;

import fairlead.api.AheadBody;
import fairlead.api.HolderBody;
import fairlead.api.WhyBody;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.util.List;

/** Says why a job is where it is. */
public final class Why implements Verb {
    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("why"),
                "JOB",
                1,
                "say why a job waits",
                List.of(),
                List.of(
                        Example.of(
                                "fairlead why " + Example.JOB,
                                "its place, its obstacles, and when it will start")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().why(arguments.some("job").getFirst());
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        WhyBody why = answer.value();
        List<String> obstacles = why.obstacles() == null ? List.of() : why.obstacles();
        String needs = why.needs() == null ? "" : ", needs " + why.needs();
        session.out()
                .line(why.id() + ": " + Words.state(why.state()) + place(why, obstacles) + needs);
        for (String obstacle : obstacles)
            session.out().line("- " + Words.localTimes(obstacle, session.terminal().zone()));
        if (obstacles.stream().noneMatch(Why::isForEver)) turn(why, session);
        if (why.advice() != null) session.out().line("it would start now " + why.advice());
        return ExitCode.OK;
    }

    /** Who has its place, who is before it, and when it will start. */
    private static void turn(WhyBody why, Session session) throws IOException {
        holders(why, session);
        ahead(why, session);
        if (why.predictedStart() != null) {
            String start =
                    Words.start(
                            why.predictedStart(),
                            why.predictedEarliest(),
                            why.predictedLatest(),
                            session.now());
            boolean hasBand = start.endsWith(")");
            session.out().line("expected to start in " + start + (hasBand ? ", an 80 % band" : ""));
        } else if (why.state().equals("queued")) {
            session.out().line("nobody can say when it will start");
        }
    }

    private static boolean isForEver(String obstacle) {
        return obstacle.startsWith("can never start");
    }

    /** One count is enough: an obstacle may have said how many are ahead. */
    private static String place(WhyBody why, List<String> obstacles) {
        boolean isTold = obstacles.stream().anyMatch(words -> words.startsWith("waits behind "));
        if (why.place() == null || isTold) return "";
        if (why.place() == 1) return ", next in the queue";
        return ", " + Words.count(why.place() - 1, "job") + " ahead of it";
    }

    private static void holders(WhyBody why, Session session) throws IOException {
        if (why.holders() == null || why.holders().isEmpty()) return;
        session.out().line("in its place now:");
        for (HolderBody each : why.holders()) {
            String holds = each.gpus() == 0 ? "runs" : "has held " + gpus(each);
            String time =
                    each.at() == null ? "" : " in " + Words.countdown(each.at(), session.now());
            String note = each.note() == null ? "" : " (" + each.note() + ")";
            session.out()
                    .line(
                            "  %s's %s %s for %s: %s%s%s"
                                    .formatted(
                                            each.owner(),
                                            each.id(),
                                            holds,
                                            Words.age(each.since(), session.now()),
                                            each.gives(),
                                            time,
                                            note));
        }
        if (why.moreHolders() != null) session.out().line("  and " + why.moreHolders() + " more");
    }

    /** {@code 2 GPUs}, {@code 0.5 of a GPU}. */
    private static String gpus(HolderBody holder) {
        if (holder.gpuPart() == null) return Words.count(holder.gpus(), "GPU");
        return holder.gpuPart()
                + (holder.gpus() == 1 ? " of a GPU" : " of " + holder.gpus() + " GPUs");
    }

    private static void ahead(WhyBody why, Session session) throws IOException {
        if (why.ahead() == null || why.ahead().isEmpty()) return;
        var table = new Table();
        for (AheadBody each : why.ahead()) {
            String who =
                    each.owner() == null
                            ? each.people() + (each.people() == 1 ? " more" : " more people")
                            : each.owner();
            table.row(
                    "  " + who,
                    each.gpus() > 0
                            ? Words.count(each.gpus(), "GPU")
                            : Words.count(each.jobs(), "job"));
        }
        session.out().line("ahead of it:");
        session.out().print(table.text());
    }
}
