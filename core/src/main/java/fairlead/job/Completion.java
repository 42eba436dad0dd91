package fairlead.job;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * When the exits of tasks end their attempt (items O42 to O44 of OpenPAI's rules): so many failed
 * tasks of one role fail it, so many succeeded ones end it well, and when all have ended and no
 * rule fired it has succeeded. A lost task makes the whole attempt lost, whatever the others did.
 */
public final class Completion {
    private Completion() {}

    /** The verdict once a rule has fired or every task has ended; empty while it is open. */
    public static Optional<Verdict> verdict(JobSpec spec, Map<TaskId, Exit> exits) {
        for (var entry : exits.entrySet()) {
            if (entry.getValue().isLost()) {
                return Optional.of(
                        new Verdict.Lost(entry.getKey() + ": " + entry.getValue().note()));
            }
        }
        for (Role role : spec.roles()) {
            var verdict = fired(role, exits);
            if (verdict.isPresent()) return verdict;
        }
        return exits.size() == spec.tasks()
                ? Optional.of(new Verdict.Succeeded())
                : Optional.empty();
    }

    private static Optional<Verdict> fired(Role role, Map<TaskId, Exit> exits) {
        int failed = 0;
        int succeeded = 0;
        Exit last = null;
        for (var entry : exits.entrySet()) {
            if (!entry.getKey().role().equals(role.name())) continue;
            Exit exit = entry.getValue();
            if (exit.succeeded()) {
                succeeded++;
            } else {
                failed++;
                if (last == null || !exit.at().isBefore(last.at())) last = exit;
            }
        }
        if (reached(role.minFailed(), failed)) {
            int code = last.code().orElseThrow();
            return Optional.of(new Verdict.Failed(code, failureText(role, failed, last)));
        }
        return reached(role.minSucceeded(), succeeded)
                ? Optional.of(new Verdict.Succeeded())
                : Optional.empty();
    }

    private static boolean reached(OptionalInt threshold, int count) {
        return threshold.isPresent() && count >= threshold.getAsInt();
    }

    private static String failureText(Role role, int failed, Exit last) {
        String exit =
                "exit code "
                        + last.code().getAsInt()
                        + (last.note().isEmpty() ? "" : " (" + last.note() + ")");
        return role.count() == 1
                ? exit
                : failed
                        + " of "
                        + role.count()
                        + " "
                        + role.name()
                        + " tasks failed, last with "
                        + exit;
    }
}
