package fairlead.cli.help;

import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Usage;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A page for {@code man}, made from what a verb's help is made from. */
public final class ManPage {
    private final StringBuilder text = new StringBuilder();

    private ManPage(String name, String version, String summary) {
        text.append(
                ".TH %s 1 \"\" \"fairlead %s\" \"Fairlead\"\n"
                        .formatted(plain(name.toUpperCase(Locale.ROOT)), version));
        section("NAME");
        line(name + " - " + summary);
    }

    /** The file's name without its folder, such as {@code fairlead-list.1}. */
    public static String file(Usage usage) {
        return "fairlead-" + usage.name() + ".1";
    }

    public static String of(Usage usage, String version) {
        var page = new ManPage("fairlead-" + usage.name(), version, usage.summary());
        page.section("SYNOPSIS");
        page.bold("fairlead " + usage.name());
        page.line("[OPTIONS] " + usage.operands());
        page.section("DESCRIPTION");
        String summary = usage.summary();
        page.line(summary.substring(0, 1).toUpperCase(Locale.ROOT) + summary.substring(1) + ".");
        if (usage.names().size() > 1)
            page.line(
                    "Also: "
                            + String.join(", ", usage.names().subList(1, usage.names().size()))
                            + ".");
        if (!usage.notes().isEmpty()) {
            page.macro(".PP");
            usage.notes().lines().forEach(page::line);
        }
        var options = new ArrayList<>(usage.options());
        options.add(Option.HELP);
        page.options(options);
        page.section("EXAMPLES");
        for (Example example : usage.examples()) {
            page.macro(".TP");
            page.bold(example.line());
            page.line(example.says());
        }
        page.section("SEE ALSO");
        page.bold("fairlead(1)");
        return page.text.toString();
    }

    /** The page of the command itself. */
    public static String ofAll(
            List<Usage> verbs, List<Option> globals, List<String> topics, String version) {
        var page = new ManPage("fairlead", version, "run deep-learning jobs on shared GPUs");
        page.section("SYNOPSIS");
        page.bold("fairlead");
        page.line("[-c CLUSTER] [-n GPUS] [--json] VERB ...");
        page.section("VERBS");
        for (Usage usage : verbs) {
            page.macro(".TP");
            page.bold(String.join(", ", usage.names()));
            page.line(usage.summary());
        }
        page.options(globals);
        page.section("EXIT STATUS");
        page.line(
                "0 ok, 1 job failed, 2 usage, 3 server unreachable, 4 refused; run exits with the"
                        + " job's own code.");
        page.section("SEE ALSO");
        page.line(
                "The page of each verb, such as fairlead-list(1), and 'fairlead help TOPIC' with"
                        + " one of");
        // As they are typed: a line may not end inside a word.
        page.text.append(".nh\n");
        page.line(String.join(", ", topics) + ".");
        return page.text.toString();
    }

    private void options(List<Option> options) {
        section("OPTIONS");
        for (Option option : options) {
            macro(".TP");
            String letter = option.letter() == null ? "" : option.letter() + ", ";
            bold(letter + option.name() + (option.value() == null ? "" : " " + option.value()));
            line(option.help());
        }
    }

    private void section(String title) {
        text.append(".SH ").append(title).append('\n');
    }

    private void macro(String line) {
        text.append(line).append('\n');
    }

    private void bold(String words) {
        text.append("\\fB").append(plain(words)).append("\\fR\n");
    }

    /** A text line: one that begins with a dot or a quote would be a request. */
    private void line(String words) {
        text.append("\\&").append(plain(words.strip())).append('\n');
    }

    /** As it was typed: man would otherwise make other characters of these. */
    private static String plain(String words) {
        return words.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("'", "\\(aq")
                .replace("`", "\\(ga")
                .replace("^", "\\(ha")
                .replace("~", "\\(ti")
                .replace("\"", "\\(dq")
                .replace("\n", " ");
    }
}
