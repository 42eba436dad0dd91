package fairlead.cli;

import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.api.words.Suggestion;
import fairlead.cli.act.Configs;
import fairlead.cli.act.verb.Resubmit;
import fairlead.cli.help.PageText;
import fairlead.cli.help.Pager;
import fairlead.cli.help.Topics;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.ArgumentParser;
import fairlead.cli.line.HelpText;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.UnavailableVerb;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.server.ServerProgram;
import fairlead.cli.server.TransferProgram;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Output;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.Terminal;
import fairlead.cli.terminal.TerminalWidth;
import fairlead.cli.terminal.UsageException;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The command {@code fairlead}: finds the verb, runs it, and turns whatever goes wrong into words.
 */
public final class Main {
    private static final Option VERSION = Option.flag("--version", null, "show the version");
    private static final Option DEBUG =
            Option.flag("--debug", null, "show where an error came from");

    /** The verbs that take a cluster of the server, where ACT's take a config file. */
    private static final Set<String> WITHOUT_CONFIG =
            Set.of("run", "list", "queue", "nodes", "snapshot");

    /** What may stand before the verb. */
    static final List<Option> GLOBALS =
            List.of(Option.CLUSTER, Option.GPUS, Option.JSON, Option.HELP, VERSION, DEBUG);

    private static List<Option> beforeTheVerb() {
        var options = new ArrayList<>(GLOBALS);
        options.addAll(ActOptions.ALL);
        return options;
    }

    private final Session session;
    private boolean debug;
    private String tip = "'fairlead --help' shows what there is.";

    private Main(Session session) {
        this.session = session;
    }

    public static void main(String[] words) {
        withoutServices();
        // The launcher knows which streams are terminals; to ask from here would cost milliseconds.
        String terminals = System.getProperty("fairlead.terminal", "unknown");
        if (terminals.equals("unknown")) terminals = interactive() ? "012" : "";
        var terminal =
                new Terminal(
                        new FileInputStream(FileDescriptor.in),
                        new FileOutputStream(FileDescriptor.out),
                        new FileOutputStream(FileDescriptor.err),
                        terminals.contains("0"),
                        terminals.contains("1"),
                        terminals.contains("2"),
                        environment(),
                        Path.of(System.getProperty("user.dir")),
                        InstantSource.system());
        int code = run(words, terminal, ServerProgram.installed());
        // Everything is flushed and no hook is left; exit would first set up Java's logging.
        Runtime.getRuntime().halt(code);
    }

    /**
     * Keeps the JSON library from searching all jars for extensions, which takes longer than the
     * rest of a command. The client names the one that there is.
     */
    static void withoutServices() {
        Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
    }

    /** For a launcher that cannot know, as that of Windows: all of them, or none. */
    private static boolean interactive() {
        var console = System.console();
        return console != null && console.isTerminal();
    }

    /** The shell's environment: the launcher changes the locale for Java and tells what it was. */
    private static Map<String, String> environment() {
        var environment = new HashMap<>(System.getenv());
        String locale = environment.remove("FAIRLEAD_LC_ALL");
        if (locale == null) return environment;
        environment.remove("LC_ALL");
        if (!locale.isEmpty()) environment.put("LC_ALL", locale);
        return environment;
    }

    /** Runs one command line and returns its exit code. */
    public static int run(String[] words, Terminal terminal, ServerProgram program) {
        return run(words, terminal, program, TransferProgram.installed());
    }

    static int run(String[] words, Terminal terminal, ServerProgram program, TransferProgram data) {
        try (var session = new Session(terminal, program, data)) {
            return new Main(session).run(words);
        }
    }

    private int run(String[] words) {
        debug = "1".equals(session.terminal().environment().get("FAIRLEAD_DEBUG"));
        try {
            int code = dispatch(words);
            session.flush();
            session.tellOtherVersion();
            return code;
        } catch (UsageException e) {
            String told = e.verb().map(Main::tip).orElse(tip);
            return fail(ExitCode.USAGE, e, e.getMessage() + "\n" + told);
        } catch (Failure e) {
            return fail(e.exitCode(), e, e.getMessage());
        } catch (Refused e) {
            String other = session.otherVersion().map(said -> "\n" + said).orElse("");
            return fail(e.exitCode(), e, Refusal.words(e) + other);
        } catch (Unreachable e) {
            return fail(ExitCode.UNREACHABLE, e, e.getMessage());
        } catch (Output.Closed e) {
            return ExitCode.OUTPUT_CLOSED;
        } catch (IOException e) {
            return fail(ExitCode.REFUSED, e, e.getMessage());
        } catch (RuntimeException e) {
            return fail(
                    ExitCode.REFUSED,
                    e,
                    "this is a mistake in fairlead itself: "
                            + e
                            + "\n"
                            + "'fairlead --debug ...' shows where.");
        }
    }

    private int dispatch(String[] words) throws UsageException, Failure, Refused, IOException {
        if (words.length > 0 && words[0].equals(CompletionWords.VERB)) {
            var typed = List.of(words).subList(1, words.length);
            for (String word : CompletionWords.of(typed, session)) session.out().line(word);
            return ExitCode.OK;
        }
        var globals = ArgumentParser.globals(beforeTheVerb(), words);
        debug |= globals.arguments().has(DEBUG);
        int at = globals.verb();
        refuseVerbAsValue(words, at);
        if (globals.arguments().has(VERSION))
            return run(Verbs.named("version").orElseThrow(), globals, words);
        if (at < words.length && words[at].equals("help")) {
            return help(at + 1 == words.length ? "" : words[at + 1]);
        }
        if (at == words.length) return help("");
        return run(verb(words[at]), globals, words);
    }

    private void refuseVerbAsValue(String[] words, int at) throws UsageException {
        for (int i = 1; i < at; i++) {
            if (!Verbs.named(words[i]).isPresent()) continue;
            // The verb 'local' of ACT is also what the cluster of a personal server is called.
            boolean isMeant = words[i].equals("local") || Configs.isThere(words[i], session);
            if (!isMeant) throw ArgumentParser.forgotten(words[i - 1], words[i]);
        }
    }

    private int help(String about) throws UsageException, IOException {
        switch (about) {
            case "" -> session.out().print(Overview.daily());
            case "--all", "-a" -> session.out().print(Overview.all());
            default -> {
                Optional<Verb> verb = Verbs.named(about);
                if (verb.isPresent()) help(verb.get());
                else page(about);
            }
        }
        return ExitCode.OK;
    }

    private void help(Verb verb) throws IOException {
        session.out().print(HelpText.of(verb));
        String name = verb.usage().name();
        if (Topics.page(name).isPresent())
            session.out().line("\n'fairlead help " + name + ".md' shows the page of docs.");
    }

    private void page(String topic) throws UsageException, IOException {
        var page = Topics.page(topic);
        if (page.isEmpty()) {
            var known = new ArrayList<>(Verbs.names());
            known.addAll(Topics.names());
            throw new UsageException(
                    "there is no verb and no topic '"
                            + topic
                            + "'."
                            + Suggestion.of(topic, known)
                            + "\nThe topics: "
                            + String.join(", ", Topics.names()));
        }
        var paint = new Paint(session.terminal().colour());
        int width = TerminalWidth.of(session.terminal());
        Pager.show(PageText.of(page.get(), paint, width), session.terminal(), session.out());
    }

    private static String tip(String verb) {
        return "'fairlead " + verb + " --help' shows its options and examples.";
    }

    private static Verb verb(String name) throws UsageException {
        Optional<Verb> verb = Verbs.named(name);
        if (verb.isPresent()) return verb.get();
        throw new UsageException(
                "there is no verb '" + name + "'." + Suggestion.of(name, Verbs.names()));
    }

    private int run(Verb verb, ArgumentParser.Globals globals, String[] words)
            throws UsageException, Failure, Refused, IOException {
        Usage usage = verb.usage();
        tip = tip(usage.name());
        var known = new ArrayList<>(usage.options());
        known.add(Option.HELP);
        known.add(DEBUG);
        known.add(VERSION);
        // What replaces a verb is worth more than a word on its options.
        if (verb instanceof UnavailableVerb) known.addAll(globals.arguments().options());
        for (Option option : globals.arguments().options()) {
            boolean isPassedOver =
                    ActOptions.isPassedOver(option, usage.name())
                            || option.equals(Option.CLUSTER) && usage.namesJobs();
            if (!known.contains(option) && !isPassedOver) {
                throw new UsageException(
                        "'"
                                + globals.arguments().typed(option)
                                + "' has no meaning for 'fairlead "
                                + usage.name()
                                + "'.");
            }
        }
        known.remove(VERSION);
        // What is ignored before the verb is ignored behind it too.
        boolean hasGpus = known.contains(Option.GPUS);
        if (!hasGpus && ActOptions.isPassedOver(Option.GPUS, usage.name())) known.add(Option.GPUS);
        int start = Math.min(words.length, globals.verb() + 1);
        boolean isVerbatim = verb.isVerbatim(globals.arguments(), session);
        var arguments =
                isVerbatim && !ArgumentParser.isHelp(words, start)
                        ? ArgumentParser.verbatim(globals.arguments(), words, start)
                        : ArgumentParser.verb(usage, known, globals.arguments(), words, start);
        debug |= arguments.has(DEBUG);
        if (arguments.has(Option.HELP)) {
            help(verb);
            return ExitCode.OK;
        }
        boolean isAboutJobs = usage.namesJobs() && !arguments.operands().isEmpty();
        // It needs a config file, and says itself that nothing was aborted.
        if (isAboutJobs && !(verb instanceof Resubmit)) Configs.refuseUnknown(arguments, session);
        if (WITHOUT_CONFIG.contains(usage.name()))
            Configs.refuseFile(usage.name(), arguments, session);
        return verb.run(arguments, session);
    }

    private int fail(int code, Exception e, String message) {
        session.say(message);
        if (debug) {
            var trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            session.say(trace.toString());
        }
        return code;
    }
}
