package fairlead.cli.line;

import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;

import java.util.List;

/**
 * A verb of another system that is missing here, with what to do instead.
 *
 * @param instead a sentence's end, after the verb's name and a colon
 */
public record UnavailableVerb(List<String> names, String instead) implements Verb {
    @Override
    public Usage usage() {
        return new Usage(
                names,
                "...",
                Usage.MANY,
                true,
                "not needed: " + instead,
                "",
                List.of(),
                List.of(new Example("fairlead " + names.getFirst(), instead, ExitCode.USAGE)));
    }

    @Override
    public boolean isVerbatim(Arguments globals, Session session) {
        return true;
    }

    @Override
    public int run(Arguments arguments, Session session) throws Failure {
        throw new Failure(ExitCode.USAGE, words());
    }

    /** All that there is to say about it, also where somebody asks for help. */
    String words() {
        return "'" + names.getFirst() + "' is not needed here: " + instead;
    }
}
