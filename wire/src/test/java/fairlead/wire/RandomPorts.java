package fairlead.wire;

import fairlead.job.Origin;
import fairlead.job.RetryPolicy;
import fairlead.job.Role;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Ports, retry policies and origins for tests of random specs. */
final class RandomPorts {
    private static final List<RetryPolicy.Kind> KINDS =
            List.of(
                    RetryPolicy.Kind.TRANSIENT,
                    RetryPolicy.Kind.CONFLICT,
                    RetryPolicy.Kind.PERMANENT,
                    RetryPolicy.Kind.UNKNOWN);

    private RandomPorts() {}

    static List<Role.Ports> of(SplittableRandom dice) {
        var ports = new ArrayList<Role.Ports>();
        for (int i = dice.nextInt(4); i > 0; i--) {
            int first = dice.nextBoolean() ? 0 : i * 1_000;
            ports.add(new Role.Ports("l~" + i, first, 1 + dice.nextInt(8)));
        }
        return ports;
    }

    static Optional<RetryPolicy> policy(SplittableRandom dice) {
        if (dice.nextBoolean()) return Optional.empty();
        Map<Integer, RetryPolicy.Kind> kinds = new HashMap<>();
        for (int i = dice.nextInt(4); i > 0; i--) {
            kinds.put(1 + dice.nextInt(255), KINDS.get(dice.nextInt(KINDS.size())));
        }
        return Optional.of(new RetryPolicy(dice.nextInt(-2, 1_000), kinds));
    }

    static Optional<Origin> origin(SplittableRandom dice, String text) {
        return dice.nextBoolean()
                ? Optional.empty()
                : Optional.of(new Origin("openpai", text, "ann~" + dice.nextInt(100)));
    }
}
