package fairlead.cli.philly;

import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Packs the current folder and uploads it to the code_path of philly_vc.yaml.
 *
 * @param verb init, or initc with compiled code
 */
record PInit(String verb) implements Verb {
    @Override
    public Usage usage() {
        boolean compiles = verb.equals("initc");
        return Usage.acts(
                List.of("p " + verb),
                "",
                0,
                "upload the current folder as the code of jobs" + (compiles ? ", compiled" : ""),
                List.of(Option.CLUSTER),
                List.of(
                        Example.withoutConfig(
                                "fairlead p " + verb, "by aux_data/configs/philly_vc.yaml")));
    }

    @Override
    public int run(Arguments arguments, Session session) throws Failure, IOException {
        var words = new ArrayList<>(List.of(verb, "--philly"));
        arguments
                .text(Option.CLUSTER)
                .ifPresent(cluster -> words.addAll(List.of(Option.CLUSTER.name(), cluster)));
        return session.data(words);
    }
}
