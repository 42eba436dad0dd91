package fairlead.cli.verb;

import fairlead.api.PriorityRequest;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Changes where a job stands among its owner's jobs. */
public final class Priority implements Verb {
    @Override
    public Usage usage() {
        return new Usage(
                List.of("priority"),
                "JOB +N|-N|=N|N",
                2,
                false,
                "change where a job stands among its owner's jobs",
                "+N and -N change the priority, N and =N set it; =-N sets a negative one.",
                List.of(Option.JSON),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead priority " + Example.JOB + " +1", "before the others"),
                        Example.refusedWhenEnded(
                                "fairlead priority " + Example.JOB + " =-5", "after the others")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String id = arguments.some("job").getFirst();
        if (arguments.operands().size() < 2) {
            throw new UsageException("which priority? Say +1, -1, =5 or 5.");
        }
        var answer = session.client().priority(id, request(arguments.operands().get(1)));
        if (arguments.has(Option.JSON)) session.json(answer);
        else session.out().line(answer.value().id() + " priority " + answer.value().priority());
        return ExitCode.OK;
    }

    private static PriorityRequest request(String text) throws UsageException {
        if (!text.matches("[+-]?\\d{1,7}|=-?\\d{1,7}")) {
            throw new UsageException(
                    "a priority is +1, -1, =5 or 5, up to seven digits, but is '" + text + "'");
        }
        char sign = text.charAt(0);
        if (sign == '=') return new PriorityRequest(Integer.valueOf(text.substring(1)), null);
        Integer number = Integer.valueOf(text);
        return Character.isDigit(sign)
                ? new PriorityRequest(number, null)
                : new PriorityRequest(null, number);
    }
}
