package fairlead.cli;

import fairlead.api.JobBody;
import fairlead.api.client.Client;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.api.clusters.ClusterBody;
import fairlead.api.people.ProjectBody;
import fairlead.cli.help.Topics;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.JobTable;
import fairlead.cli.verb.ListJobs;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What the word at the cursor may become, for the scripts of all shells. Names come from the server
 * that runs; where none answers at once there are none, because the tab key neither starts a server
 * nor waits for one.
 */
final class CompletionWords {
    /** The verb of the scripts, which no help shows. */
    static final String VERB = "__complete";

    /**
     * Together with the start of the command less than a second. Tests on a busy machine say more.
     */
    private static final Duration ANSWER_MAX =
            Duration.ofMillis(Long.getLong("fairlead.completion.millis", 700));

    /** More than anybody looks through. */
    private static final int JOBS_MAX = 100;

    private final Session session;

    /** The option whose value is at the cursor; null where there is none. */
    private Option open;

    private Verb verb;
    private boolean isHelp;
    private final List<String> operands = new ArrayList<>();

    private CompletionWords(Session session) {
        this.session = session;
    }

    /**
     * @param words those after the command, up to the one at the cursor, which may be empty
     */
    static List<String> of(List<String> words, Session session) throws IOException {
        String last = words.isEmpty() ? "" : words.getLast();
        // Bash splits there, and the cursor may be right behind it.
        String current = last.equals("=") ? "" : last;
        var completion = new CompletionWords(session);
        for (String word : words.subList(0, Math.max(0, words.size() - 1))) completion.pass(word);
        if (last.equals("=")) completion.pass(last);
        int equals = current.indexOf('=');
        if (current.startsWith("--") && equals > 0) {
            String name = current.substring(0, equals + 1);
            completion.open = completion.valued(current.substring(0, equals)).orElse(null);
            return beginning(current, completion.values().stream().map(name::concat).toList());
        }
        return beginning(current, completion.candidates(current));
    }

    private static List<String> beginning(String start, Collection<String> words) {
        return words.stream().filter(word -> word.startsWith(start)).distinct().toList();
    }

    private void pass(String word) {
        if (open != null) {
            if (!word.equals("=")) open = null;
        } else if (word.startsWith("-") && word.length() > 1) {
            open = valued(word).orElse(null);
        } else if (verb == null && !isHelp) {
            isHelp = word.equals("help");
            verb = isHelp ? null : Verbs.named(word).orElse(null);
            // One that is unknown has nothing to complete.
            if (!isHelp && verb == null) operands.add(word);
        } else {
            operands.add(word);
        }
    }

    private Optional<Option> valued(String word) {
        return options().stream()
                .filter(option -> option.value() != null)
                .filter(
                        option ->
                                word.equals(option.name())
                                        || word.equals(option.letter())
                                        || word.equals(option.other()))
                .findFirst();
    }

    private List<Option> options() {
        var options = new ArrayList<Option>();
        if (verb == null) {
            options.addAll(Main.GLOBALS);
            options.addAll(ActOptions.ALL);
        } else {
            options.addAll(verb.usage().options());
            options.add(Option.HELP);
        }
        return options;
    }

    private List<String> candidates(String current) throws IOException {
        if (open != null) return values();
        if (isHelp) {
            if (!operands.isEmpty()) return List.of();
            var topics = new ArrayList<>(Verbs.names());
            topics.addAll(Topics.names());
            topics.add("--all");
            return topics;
        }
        if (verb == null && !operands.isEmpty()) return List.of();
        if (isInCommand()) return List.of();
        if (current.startsWith("-")) {
            var names = new ArrayList<String>();
            for (Option option : verb == null ? Main.GLOBALS : options()) {
                if (option.letter() != null) names.add(option.letter());
                names.add(option.name());
            }
            return names;
        }
        if (verb != null) return operand(verb.usage());
        var names = new ArrayList<>(Verbs.names());
        names.add("help");
        return names;
    }

    /** What follows is not ours to know. */
    private boolean isInCommand() {
        return verb != null && verb.usage().command() && operands.size() > verb.usage().before();
    }

    private List<String> operand(Usage usage) {
        String shown = usage.operands();
        if (shown.contains("JOB")) return fromServer(CompletionWords::jobs);
        String choices = shown.split(" ")[0].replaceAll("[\\[\\]]", "");
        boolean isChoice = choices.contains("|") || choices.equals("check");
        if (isChoice && operands.isEmpty()) return List.of(choices.split("\\|"));
        if (usage.name().equals("project")) return fromServer(CompletionWords::projects);
        return List.of();
    }

    private List<String> values() {
        if (open == null) return List.of();
        return switch (open.name()) {
            case "--state" -> ListJobs.STATES;
            case "--cluster", "--resubmit_to" -> fromServer(CompletionWords::clusters);
            case "--project" -> fromServer(CompletionWords::projects);
            case "--after", "--after-ok", "--after-any" -> fromServer(CompletionWords::jobs);
            case "--array" ->
                    verb.usage().name().equals("list")
                            ? fromServer(CompletionWords::arrays)
                            : List.of();
            case "--output" -> List.of("json", "yaml", "wide", "name", "columns=");
            case "--sort" -> JobTable.WIDE;
            default -> List.of();
        };
    }

    /** One request. */
    @FunctionalInterface
    private interface Question {
        List<String> ask(Client client) throws Refused, IOException;
    }

    private List<String> fromServer(Question question) {
        var answer = new CompletableFuture<List<String>>();
        Thread.ofVirtual().start(() -> answer.complete(asked(question)));
        try {
            return answer.get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException | TimeoutException _) {
            return List.of();
        }
    }

    private List<String> asked(Question question) {
        try (var client = session.another()) {
            return question.ask(client);
        } catch (UsageException | Failure | Refused | IOException _) {
            // Whoever presses the tab key is not to be told of it.
            return List.of();
        }
    }

    private static List<JobBody> newest(Client client) throws Refused, IOException {
        var filter = new JobFilter(null, null, null, null, JOBS_MAX, null).withArraysOnce();
        return client.jobs(filter).value().jobs();
    }

    /** Ids, arrays, and names that one of these alone has. */
    private static List<String> jobs(Client client) throws Refused, IOException {
        var words = new LinkedHashSet<String>();
        var names = new HashMap<String, Integer>();
        for (JobBody job : newest(client)) {
            words.add(job.array() == null ? job.id() : job.array());
            if (job.name() != null) names.merge(job.name(), 1, Integer::sum);
        }
        names.forEach(
                (name, count) -> {
                    if (count == 1) words.add(name);
                });
        if (!words.isEmpty()) words.add("@last");
        return List.copyOf(words);
    }

    private static List<String> arrays(Client client) throws Refused, IOException {
        return newest(client).stream().map(JobBody::array).filter(array -> array != null).toList();
    }

    private static List<String> projects(Client client) throws Refused, IOException {
        return client.projects().value().projects().stream().map(ProjectBody::name).toList();
    }

    private static List<String> clusters(Client client) throws Refused, IOException {
        List<ClusterBody> clusters = client.server().value().clusters();
        return clusters == null ? List.of() : clusters.stream().map(ClusterBody::name).toList();
    }
}
