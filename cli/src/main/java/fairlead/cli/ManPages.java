package fairlead.cli;

import fairlead.cli.help.ManPage;
import fairlead.cli.help.Topics;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/** Writes the man pages of all verbs into a folder, for the build. */
final class ManPages {
    private ManPages() {}

    public static void main(String[] words) throws IOException {
        write(Files.createDirectories(Path.of(words[0])), words[1]);
    }

    static void write(Path folder, String version) throws IOException {
        var usages = new ArrayList<Usage>();
        for (Verb verb : Verbs.all()) {
            Usage usage = verb.usage();
            usages.add(usage);
            Files.writeString(folder.resolve(ManPage.file(usage)), ManPage.of(usage, version));
        }
        Files.writeString(
                folder.resolve("fairlead.1"),
                ManPage.ofAll(usages, Main.GLOBALS, Topics.names(), version));
    }
}
