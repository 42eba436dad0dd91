package fairlead.cli.act.verb;

import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A verb about the data of a cluster's folders. The program that moves data does the work, on the
 * same terminal.
 */
public final class DataVerb implements Verb {
    /** How paths are read, which is the same for all of these. */
    private static final String PATHS =
            "The first name of a path is a folder of the config file: data/voc20 needs data_folder"
                    + " there.";

    private final Usage usage;

    private DataVerb(Usage usage) {
        this.usage = usage;
    }

    public static DataVerb list() {
        return of(
                List.of("ls"),
                "list the files of a cluster's store whose names begin with PATH",
                PATHS + "\nThe prefix may end inside a name: data/voc20 also shows data/voc2007.",
                List.of(),
                Example.withoutConfig("fairlead ls data/voc20", "what begins with data/voc20"));
    }

    public static DataVerb upload() {
        return of(
                List.of("upload", "u"),
                "upload files or folders to a cluster's store",
                PATHS
                        + "\nWhat is there already and has not changed is not sent again. After an"
                        + " interruption the same\ncommand goes on where it was.",
                List.of(ActOptions.FROM),
                Example.withoutConfig("fairlead u data/voc20", "a folder or a file"),
                Example.withoutConfig(
                        "fairlead -c eu -f we3v32 u data/voc20",
                        "from another cluster's store, where possible not through this machine"));
    }

    public static DataVerb download() {
        return of(
                List.of("download", "d"),
                "download files or folders of a cluster's store",
                PATHS + "\nA file appears under its name when it is whole.",
                List.of(),
                Example.withoutConfig("fairlead d data/coco", "a folder or a file"));
    }

    public static DataVerb remove() {
        return of(
                List.of("rm"),
                "delete files or folders of a cluster's store, for good",
                PATHS
                        + "\nOnly what has exactly this name, not what begins with it. It asks"
                        + " first.",
                List.of(ActOptions.YES),
                Example.withoutConfig("fairlead rm -y data/coco", "without a question"));
    }

    public static DataVerb url() {
        return of(
                List.of("url"),
                "print an address that reads a file for 30 days",
                PATHS + "\nWhoever has the address can read the file.",
                List.of(),
                Example.withoutConfig("fairlead url data/coco/train.tsv", "for a browser or wget"));
    }

    private static DataVerb of(
            List<String> names,
            String summary,
            String notes,
            List<Option> more,
            Example... examples) {
        var options = new ArrayList<Option>(List.of(Option.CLUSTER));
        options.addAll(more);
        return new DataVerb(
                new Usage(
                        names,
                        "PATH...",
                        Usage.MANY,
                        false,
                        summary,
                        notes,
                        options,
                        List.of(examples)));
    }

    @Override
    public Usage usage() {
        return usage;
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, IOException {
        var words = new ArrayList<String>(List.of(usage.name()));
        arguments
                .text(Option.CLUSTER)
                .ifPresent(name -> words.addAll(List.of(Option.CLUSTER.name(), name)));
        arguments
                .text(ActOptions.FROM)
                .ifPresent(name -> words.addAll(List.of(ActOptions.FROM.name(), name)));
        if (arguments.has(ActOptions.YES)) words.add(ActOptions.YES.name());
        words.add("--");
        words.addAll(arguments.some("path"));
        return session.data(words);
    }
}
