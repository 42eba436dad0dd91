package fairlead.cli.act.verb;

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

/** Packs the current folder and uploads it as the code of a cluster's jobs. */
public final class InitVerb implements Verb {
    /** Which of the two kinds of config file is meant. */
    private static final Option PHILLY = Option.flag("--philly", null, "use philly_vc.yaml");

    private final String name;

    public InitVerb(String name) {
        this.name = name;
    }

    @Override
    public Usage usage() {
        boolean compiles = name.endsWith("c");
        String notes =
                "It leaves out what .gitignore and .fairleadignore name, and what zip_options of"
                        + " the config file excludes;\nwhere that has none: the mapped folders, and"
                        + " what compilers make. Only changes are sent.\n"
                        + "'initi' is the same: 'init', too, sends only changes.";
        String compiled =
                "The code is uploaded as it is, then compile.aml.sh runs in the config file's image"
                        + " by podman or docker,\nand the result is uploaded in its place.";
        return new Usage(
                List.of(name),
                "",
                0,
                false,
                compiles
                        ? "upload the current folder, compiled in its image"
                        : "upload the current folder as the code of jobs",
                compiles ? compiled : notes,
                List.of(Option.CLUSTER, PHILLY),
                List.of(
                        Example.withoutConfig(
                                "fairlead -c eu " + name, "by aux_data/aml/eu.yaml")));
    }

    @Override
    public int run(Arguments arguments, Session session) throws Failure, IOException {
        var words = new ArrayList<String>(List.of(name));
        arguments
                .text(Option.CLUSTER)
                .ifPresent(cluster -> words.addAll(List.of(Option.CLUSTER.name(), cluster)));
        if (arguments.has(PHILLY)) words.add(PHILLY.name());
        return session.data(words);
    }
}
