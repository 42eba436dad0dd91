package fairlead.cli.admin;

import fairlead.api.client.Refused;
import fairlead.api.people.AuditBody;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Shows who did what, and from where. */
public final class ShowAudit implements Verb {
    private static final Option WHO = Option.valued("--user", null, "NAME", "what they did");
    private static final Option ACTION =
            Option.valued("--action", null, "WORD", "only this, such as abort or login");
    private static final Option SUBJECT =
            Option.valued("--on", null, "NAME", "what was done to this job, user or project");
    private static final Option SINCE =
            Option.valued("--since", null, "TIME", "from then on, such as 2026-11-18T04:00:00Z");
    private static final Option LIMIT =
            Option.valued("--limit", null, "N", "so many lines; by default 100");

    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("audit"),
                "",
                0,
                "show who did what, and from where; for admins",
                List.of(WHO, ACTION, SUBJECT, SINCE, LIMIT),
                List.of(
                        Example.of("fairlead audit", "the newest first"),
                        Example.of("fairlead audit --action login --limit 20", "who came in")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer =
                session.client()
                        .team()
                        .audit(
                                arguments.text(WHO).orElse(null),
                                arguments.text(ACTION).orElse(null),
                                arguments.text(SUBJECT).orElse(null),
                                arguments.text(SINCE).orElse(null),
                                arguments.numberOrNull(LIMIT, 1));
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        var table = new Table().row("TIME", "WHO", "FROM", "ACTION", "ON", "OUTCOME");
        for (AuditBody line : answer.value().lines())
            table.row(
                    line.at(),
                    line.who().isEmpty() ? "-" : line.who(),
                    line.from(),
                    line.action(),
                    Paint.plain(line.subject(), Integer.MAX_VALUE),
                    line.outcome());
        session.out().print(table.text());
        return ExitCode.OK;
    }
}
