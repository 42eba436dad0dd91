package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Seeds;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Goal: whatever the curves, the plan can be carried out, and breaks no promise. Method: random
 * jobs on random nodes from a seed.
 */
class SizesPropertyTest {
    private static final int PER_NODE = 4;
    private static final List<Integer> ALL_SIZES = List.of(1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32);

    @Seeds(200)
    void everyPlanCanBeLaidOutOnTheNodes(long seed) {
        var cluster = new Cluster(seed);
        int[] room = cluster.free.stream().mapToInt(Integer::intValue).toArray();
        cluster.plan()
                .forEach(
                        (id, place) -> {
                            int gpus = Trainee.gpus(place);
                            Trainee job = cluster.job(id);
                            assertTrue(job.curve().indexOf(gpus) >= 0, () -> id + " has " + gpus);
                            if (place.equals(job.place())) {
                                place.forEach((node, held) -> room[node] -= held);
                                return;
                            }
                            int nodes = (gpus + PER_NODE - 1) / PER_NODE;
                            assertEquals(nodes, place.size(), () -> id + " lies on " + place);
                            place.forEach(
                                    (node, held) -> {
                                        assertEquals(gpus / nodes, held);
                                        room[node] -= held;
                                    });
                        });
        for (int node = 0; node < room.length; node++) {
            assertTrue(room[node] >= 0, "node " + node + " is over capacity");
        }
    }

    @Seeds(200)
    void theSameJobsInAnyOrderGetTheSamePlan(long seed) {
        var cluster = new Cluster(seed);
        var plan = cluster.plan();
        Collections.shuffle(cluster.jobs, new Random(seed));
        assertEquals(plan, cluster.plan());
    }

    @Seeds(200)
    void nobodyIsGivenASizeThatIsSlowerThanASmallerOne(long seed) {
        var cluster = new Cluster(seed);
        cluster.plan()
                .forEach(
                        (id, place) -> {
                            Trainee job = cluster.job(id);
                            if (Trainee.gpus(place) == Trainee.gpus(job.place())) return;
                            int given = job.curve().indexOf(Trainee.gpus(place));
                            for (int k = 0; k < given; k++) {
                                int smaller = k;
                                assertTrue(
                                        job.curve().seconds(k) > job.curve().seconds(given),
                                        () -> id + ": as fast on " + job.curve().size(smaller));
                            }
                        });
    }

    @Seeds(200)
    void aJobInTheMiddleOfALongEpochKeepsItsPlace(long seed) {
        var cluster = new Cluster(seed);
        var plan = cluster.plan();
        for (Trainee job : cluster.jobs) {
            if (job.place().isEmpty() || job.stopsAnywhere()) continue;
            double epoch = job.curve().seconds(job.current());
            double part = job.epochsLeft() - Math.floor(job.epochsLeft());
            if (part > 0.15 && part * epoch > 60) assertEquals(job.place(), plan.get(job.id()));
        }
    }

    /**
     * Jobs of one GPU fit everywhere, so nothing but the shares decides how many each owner has.
     */
    @Seeds(100)
    void ownersWithEnoughSmallJobsHoldTheSameNumberOfGpus(long seed) {
        var dice = new SplittableRandom(seed);
        int owners = dice.nextInt(2, 5);
        int nodes = dice.nextInt(1, 5);
        int most = Math.ceilDiv(nodes * PER_NODE, owners);
        var jobs = new ArrayList<Trainee>();
        for (int owner = 0; owner < owners; owner++) {
            // Short jobs come first otherwise, so one owner's are all shorter than another's.
            double epochs = dice.nextDouble(0.1, 100);
            int count = most + dice.nextInt(3);
            for (int i = 0; i < count; i++) jobs.add(small(owner, i, epochs, dice.nextInt(2)));
        }
        var held = new TreeMap<String, Integer>();
        Sizes.of(jobs, setting(Collections.nCopies(nodes, PER_NODE)))
                .forEach((id, place) -> held.merge(id.substring(0, 1), 1, Integer::sum));
        assertEquals(owners, held.size(), held::toString);
        assertEquals(nodes * PER_NODE, held.values().stream().mapToInt(Integer::intValue).sum());
        assertTrue(
                Collections.max(held.values()) - Collections.min(held.values()) <= 1,
                held::toString);
    }

    private static Trainee small(int owner, int number, double epochs, int priority) {
        Curve curve = Curve.fit(List.of(1), Map.of(1, 100.0), 1, 60, List.of());
        String id = owner + "-%02d".formatted(number);
        return new Trainee(
                id, "owner-" + owner, priority, curve, epochs, Map.of(), 0, 10_000, true);
    }

    @Seeds(200)
    void noJobWaitsForOneOfTheSameOwnerWithALowerPriority(long seed) {
        var cluster = new Cluster(seed);
        cluster.jobs.replaceAll(SizesPropertyTest::waiting);
        var plan = cluster.plan();
        for (Trainee waiting : cluster.jobs) {
            if (plan.containsKey(waiting.id())) continue;
            for (Trainee other : cluster.jobs) {
                boolean isLower =
                        other.owner().equals(waiting.owner())
                                && other.priority() < waiting.priority()
                                && other.curve().size(0) == waiting.curve().size(0);
                assertTrue(
                        !isLower || !plan.containsKey(other.id()),
                        () -> waiting.id() + " waits for " + other.id());
            }
        }
    }

    private static Sizes.Setting setting(List<Integer> free) {
        return new Sizes.Setting(
                PER_NODE,
                free,
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                Map.of(),
                Map.of(),
                true);
    }

    private static Trainee waiting(Trainee job) {
        return new Trainee(
                job.id(),
                job.owner(),
                job.priority(),
                job.curve(),
                job.epochsLeft(),
                Map.of(),
                0,
                job.dueSeconds(),
                job.stopsAnywhere());
    }

    /** Random jobs, some of them placed, on nodes of which others hold a part. */
    private static final class Cluster {
        private final SplittableRandom dice;
        private final int owners;
        private final List<Integer> free = new ArrayList<>();
        private final List<Trainee> jobs = new ArrayList<>();

        Cluster(long seed) {
            dice = new SplittableRandom(seed);
            owners = dice.nextInt(1, 4);
            int nodes = dice.nextInt(1, 9);
            for (int i = 0; i < nodes; i++) {
                free.add(dice.nextInt(3) > 0 ? PER_NODE : dice.nextInt(PER_NODE + 1));
            }
            var layout =
                    new Layout(PER_NODE, free.stream().mapToInt(Integer::intValue).toArray(), 100);
            int count = dice.nextInt(1, 16);
            var curves = new ArrayList<Curve>();
            for (int i = 0; i < count; i++) {
                Curve curve = curve();
                curves.add(curve);
                if (dice.nextBoolean()) layout.fit(i, curve.size(dice.nextInt(curve.count())));
            }
            for (int i = 0; i < count; i++) jobs.add(job(i, curves.get(i), layout.place(i)));
        }

        private Trainee job(int i, Curve curve, Map<Integer, Integer> place) {
            return new Trainee(
                    "job-%02d".formatted(i),
                    "owner-" + dice.nextInt(owners),
                    dice.nextInt(4) == 0 ? 1 : 0,
                    curve,
                    dice.nextDouble(0.1, 100),
                    place,
                    !place.isEmpty() && dice.nextInt(4) == 0 ? dice.nextDouble(30) : 0,
                    dice.nextDouble(-100, 10_000),
                    dice.nextBoolean());
        }

        /** Some points measured, faster or slower with more GPUs as it happens. */
        private Curve curve() {
            int most = dice.nextInt(1, ALL_SIZES.size() + 1);
            List<Integer> sizes = ALL_SIZES.subList(0, most);
            var measured = new HashMap<Integer, Double>();
            for (int size : sizes) {
                if (dice.nextInt(3) == 0) measured.put(size, dice.nextDouble(1, 3_000));
            }
            return Curve.fit(sizes, measured, sizes.get(dice.nextInt(most)), 60, List.of());
        }

        Map<String, Map<Integer, Integer>> plan() {
            return Sizes.of(jobs, setting(free));
        }

        Trainee job(String id) {
            return jobs.stream().filter(job -> job.id().equals(id)).findFirst().orElseThrow();
        }
    }
}
