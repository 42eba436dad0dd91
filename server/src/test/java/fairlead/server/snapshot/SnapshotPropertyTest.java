package fairlead.server.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobSpec;
import fairlead.job.Samples;
import fairlead.job.Training;
import fairlead.policies.Policies;
import fairlead.policy.Policy;
import fairlead.policy.RandomCluster;
import fairlead.testing.Seeds;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Goal: a snapshot has all that any policy sees of a job, so that a field which it forgets shows
 * itself. Method: random clusters, planned by each policy before and after.
 */
class SnapshotPropertyTest {
    private static final int CLUSTERS = 3;

    @Seeds(20)
    void everyPolicyPlansTheSameFromASnapshot(long seed) throws SnapshotException {
        var dice = new SplittableRandom(seed);
        for (int i = 0; i < CLUSTERS; i++) {
            var cluster = new RandomCluster(dice.nextLong());
            for (int number = 100; number < 104; number++) cluster.put(training(dice, number));
            for (String name : Policies.names()) {
                Policy policy = Policies.byName(name);
                View before = cluster.view();
                Snapshot taken = Snapshot.of("local", name, before);
                View after = Snapshot.read(new String(taken.json(), StandardCharsets.UTF_8)).view();
                assertEquals(policy.plan(before), policy.plan(after), name + cluster);
                assertEquals(policy.explain(before), policy.explain(after), name + cluster);
            }
            cluster.begin(Policies.byName(Policies.DEFAULT).plan(cluster.view()));
        }
    }

    private static Job training(SplittableRandom dice, int number) {
        int gpus = 1 + dice.nextInt(4);
        var spec = new JobSpec.Edit(Samples.training(gpus, 1));
        spec.training =
                Optional.of(
                        new Training(
                                1 + dice.nextInt(50),
                                32,
                                3_200,
                                gpus,
                                1 + dice.nextInt(gpus),
                                gpus + dice.nextInt(5),
                                dice.nextBoolean(),
                                maybe(dice, (1L + dice.nextInt(30)) << 30),
                                maybe(dice, Duration.ofMinutes(1 + dice.nextInt(600))),
                                maybe(dice, Samples.NOON.plusSeconds(dice.nextInt(100_000)))));
        return Samples.job(number, "owner-" + dice.nextInt(4), spec.spec());
    }

    private static <T> Optional<T> maybe(SplittableRandom dice, T value) {
        return dice.nextBoolean() ? Optional.of(value) : Optional.empty();
    }
}
