package fairlead.server.snapshot;

import fairlead.cluster.View;
import fairlead.job.Share;
import fairlead.job.TaskPlacement;
import fairlead.policies.Policies;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Plans a snapshot again and prints what the policy does. */
public final class PlanAgain {
    private static final int EXIT_BAD_INPUT = 2;
    private static final String USAGE = "usage: plan FILE [--policy NAME] [--json]";

    private PlanAgain() {}

    public static void main(String[] arguments) {
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        var err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int code = run(List.of(arguments), out, err);
        out.flush();
        System.exit(code);
    }

    /** The exit code: 0, or 2 when the file or the policy is wrong. */
    public static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            Asked asked = Asked.of(arguments);
            Snapshot snapshot = Snapshot.read(text(asked.file()));
            String name = asked.policy().orElse(snapshot.policy());
            Policy policy = policy(name);
            View view = snapshot.view();
            Plan plan = policy.plan(view);
            List<Explanation> waiting =
                    policy.explain(view).stream()
                            .filter(each -> !each.obstacles().isEmpty())
                            .toList();
            if (asked.json()) {
                out.writeBytes(PlanJson.write(snapshot, name, plan, waiting));
                out.println();
            } else {
                print(snapshot, name, plan, waiting, out);
            }
            return 0;
        } catch (SnapshotException wrong) {
            err.println("fairlead plan: " + wrong.getMessage());
            return EXIT_BAD_INPUT;
        }
    }

    /** What the command line asks for. */
    private record Asked(String file, Optional<String> policy, boolean json) {
        static Asked of(List<String> arguments) throws SnapshotException {
            var words = new ArrayList<>(arguments);
            boolean json = words.remove("--json");
            int at = words.indexOf("--policy");
            Optional<String> policy = Optional.empty();
            if (at >= 0 && at + 1 < words.size()) {
                policy = Optional.of(words.remove(at + 1));
                words.remove(at);
            }
            if (words.size() != 1 || words.getFirst().startsWith("--")) {
                throw new SnapshotException(USAGE);
            }
            return new Asked(words.getFirst(), policy, json);
        }
    }

    private static Policy policy(String name) throws SnapshotException {
        try {
            return Policies.byName(name);
        } catch (IllegalArgumentException unknown) {
            throw new SnapshotException(unknown.getMessage());
        }
    }

    private static String text(String file) throws SnapshotException {
        try {
            return Files.readString(Path.of(file));
        } catch (NoSuchFileException missing) {
            throw new SnapshotException("no file " + file);
        } catch (CharacterCodingException binary) {
            throw new SnapshotException(file + " is not text in UTF-8");
        } catch (InvalidPathException | IOException failure) {
            throw new SnapshotException("cannot read " + file + ": " + failure.getMessage());
        }
    }

    private static void print(
            Snapshot snapshot, String name, Plan plan, List<Explanation> waiting, PrintStream out) {
        out.printf(
                "%s on %s at %s: starts %d, stops %d, leaves %d waiting%n",
                name,
                snapshot.cluster(),
                snapshot.now(),
                plan.starts().size(),
                plan.preempts().size(),
                waiting(snapshot) - plan.starts().size());
        for (Plan.Start start : plan.starts()) {
            out.printf("start %s on %s%n", start.job(), places(start.placement().tasks()));
        }
        for (Plan.Preempt preempt : plan.preempts()) {
            out.printf(
                    "stop %s for %s: %s%n", preempt.victim(), preempt.beneficiary(), preempt.why());
        }
        for (Explanation each : waiting) {
            out.printf(
                    "wait %s at place %d: %s%n",
                    each.job(),
                    each.place(),
                    each.obstacles().stream()
                            .map(Obstacle::words)
                            .collect(Collectors.joining("; ")));
        }
    }

    private static long waiting(Snapshot snapshot) {
        return snapshot.jobs().stream().filter(job -> job.state().word().equals("queued")).count();
    }

    private static String places(List<TaskPlacement> tasks) {
        return tasks.stream()
                .map(
                        task ->
                                task.shares().isEmpty()
                                        ? task.node()
                                        : task.node()
                                                + " (GPU "
                                                + task.shares().stream()
                                                        .map(Share::gpu)
                                                        .map(String::valueOf)
                                                        .collect(Collectors.joining(", "))
                                                + ")")
                .collect(Collectors.joining(", "));
    }
}
