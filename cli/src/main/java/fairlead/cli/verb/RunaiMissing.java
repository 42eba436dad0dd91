package fairlead.cli.verb;

import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Session;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;

import java.util.List;

/**
 * A verb of Run:ai that there is not, with what to do instead.
 *
 * @param instead a sentence's end, after the verb's name and a colon
 */
record RunaiMissing(String verb, String instead) implements Verb {
    @Override
    public Usage usage() {
        String name = "runai " + verb;
        return new Usage(
                List.of(name),
                "...",
                Usage.MANY,
                true,
                "refused: " + instead,
                "",
                List.of(),
                List.of(new Example("fairlead " + name + " my-job", instead, ExitCode.USAGE)));
    }

    @Override
    public int run(Arguments arguments, Session session) throws UsageException {
        throw new UsageException("'runai " + verb + "' is not possible here: " + instead);
    }
}
