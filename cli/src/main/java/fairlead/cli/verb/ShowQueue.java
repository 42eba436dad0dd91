package fairlead.cli.verb;

import fairlead.api.QueueBody;
import fairlead.api.QueueList;
import fairlead.api.client.Refused;
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
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.util.List;

/** Shows everyone's work on a cluster in the fair order, with what others have started there. */
public final class ShowQueue implements Verb {
    /** A pod's name and its status are others' words. */
    private static final int CHARACTERS_MAX = 80;

    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("queue"),
                "",
                0,
                "show everyone's work in the fair order",
                List.of(Option.CLUSTER),
                List.of(
                        Example.of("fairlead queue", "who runs and who is next"),
                        Example.of("fairlead queue --json", "the same for a program")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().queue(arguments.text(Option.CLUSTER).orElse(null));
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        QueueList list = answer.value();
        var table =
                new Table()
                        .row(
                                "JOB NAME",
                                "USER",
                                "AGE",
                                "GPUS",
                                "PRIORITY",
                                "USER'S GPU",
                                "STATUS",
                                "NODE");
        for (QueueBody work : list.queue()) {
            List<String> nodes = work.nodes() == null ? List.of() : work.nodes();
            table.row(
                    Paint.plain(work.name(), CHARACTERS_MAX),
                    Paint.plain(work.owner(), CHARACTERS_MAX),
                    Words.age(work.created(), session.now()),
                    Words.number(work.gpus()),
                    work.priority() == 0 ? "0" : "%+d".formatted(work.priority()),
                    turn(work),
                    Paint.plain(work.status(), CHARACTERS_MAX),
                    nodes.isEmpty() ? "-" : String.join(", ", nodes));
        }
        session.out().print(table.text());
        if (list.more() > 0) session.out().line("and " + list.more() + " more");
        List<String> notes = list.notes() == null ? List.of() : list.notes();
        for (String note : notes) session.out().line("- " + note);
        return ExitCode.OK;
    }

    private static String turn(QueueBody work) {
        String number = QueueBody.ordinalWord(work.ordinal());
        return Boolean.TRUE.equals(work.borrows()) ? number + ", borrows" : number;
    }
}
