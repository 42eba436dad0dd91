package fairlead.policy;

import static java.time.temporal.ChronoUnit.SECONDS;

import fairlead.cluster.Gpu;
import fairlead.job.GpuPart;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Why a job waits, in words that its owner can act on. */
public sealed interface Obstacle {
    String words();

    /** Whether no amount of waiting helps: somebody must change the job, or what holds for it. */
    default boolean isForGood() {
        return false;
    }

    /** The same of a cluster on which nothing runs, where it is what the nodes have that counts. */
    default String wordsIfEmpty() {
        return words();
    }

    /** A task wants more GPUs than any ready node has free. */
    record NotEnoughGpus(int wanted, int largestFree, String node) implements Obstacle {
        @Override
        public String words() {
            return "needs "
                    + count(wanted, "GPU")
                    + " on one node; the largest free block is "
                    + (largestFree == 0 ? "0" : largestFree + " on " + node);
        }

        @Override
        public String wordsIfEmpty() {
            return "needs "
                    + count(wanted, "GPU")
                    + " on one node; "
                    + (largestFree == 0
                            ? "no node has a GPU"
                            : "the largest node, " + node + ", has " + largestFree);
        }
    }

    /**
     * Each task would fit alone, but not all of them together.
     *
     * @param inAll what the tasks need together, in words; may be empty
     * @param ports that other tasks have on the other nodes, where all would fit but for these
     */
    record NotEnoughForAll(int tasks, String inAll, int placeable, List<Integer> ports)
            implements Obstacle {
        public NotEnoughForAll {
            ports = List.copyOf(ports);
        }

        static NotEnoughForAll of(JobSpec spec, int placeable, List<Integer> ports) {
            long milliGpus = 0;
            long cpus = 0;
            long bytes = 0;
            for (Role role : spec.roles()) {
                Resources each = role.resources();
                milliGpus += (long) each.milliGpus() * role.count();
                cpus += (long) each.cpus() * role.count();
                bytes += each.memoryBytes() * role.count();
            }
            var asks = new ArrayList<String>();
            if (milliGpus > 0)
                asks.add(milli(milliGpus) + (milliGpus == Resources.GPU ? " GPU" : " GPUs"));
            if (cpus > 0) asks.add(cpus + (cpus == 1 ? " CPU" : " CPUs"));
            if (bytes > 0) asks.add(atLeast(bytes) + " of memory");
            return new NotEnoughForAll(spec.tasks(), String.join(", ", asks), placeable, ports);
        }

        @Override
        public String words() {
            String room = needs() + "now there is room for " + placeable;
            return ports.isEmpty() ? room : room + ": " + ports(ports) + " taken elsewhere";
        }

        @Override
        public String wordsIfEmpty() {
            String room = needs() + "the whole cluster has room for " + placeable;
            return ports.isEmpty() ? room : room + ": " + ports(ports) + " given once on each node";
        }

        private String needs() {
            String asks = inAll.isEmpty() ? "" : " (" + inAll + " in all)";
            return "needs room for " + tasks + " tasks at once" + asks + "; ";
        }

        private static String ports(List<Integer> ports) {
            return numbered(ports) + (ports.size() == 1 ? " is" : " are");
        }
    }

    /** A training job that would fit, but whose turn would make the others end later. */
    record OthersGainMore() implements Obstacle {
        @Override
        public String words() {
            return "other training jobs end sooner with the GPUs that are free";
        }
    }

    record NotEnoughCpus(int wanted, int largestFree) implements Obstacle {
        @Override
        public String words() {
            return "needs "
                    + count(wanted, "CPU")
                    + " on one node; the most that is free is "
                    + largestFree;
        }

        @Override
        public String wordsIfEmpty() {
            return "needs "
                    + count(wanted, "CPU")
                    + " on one node; the largest node has "
                    + largestFree;
        }
    }

    record NotEnoughMemory(long wantedBytes, long largestFreeBytes) implements Obstacle {
        @Override
        public String words() {
            return "needs "
                    + atLeast(wantedBytes)
                    + " of memory on one node; the most that is free is "
                    + atMost(largestFreeBytes);
        }

        @Override
        public String wordsIfEmpty() {
            return "needs "
                    + atLeast(wantedBytes)
                    + " of memory on one node; the largest node has "
                    + atMost(largestFreeBytes);
        }
    }

    /** No ready node bears the labels that the job's pods ask for. */
    record NoNodeWithLabels(List<String> labels) implements Obstacle {
        public NoNodeWithLabels {
            labels = List.copyOf(labels);
        }

        @Override
        public String words() {
            return "needs a node with " + String.join(", ", labels) + "; none that is ready has it";
        }
    }

    /** The cluster has no GPU of the type that the job names. */
    record NoGpuOfType(String type, List<String> known) implements Obstacle {
        public NoGpuOfType {
            known = List.copyOf(known);
        }

        @Override
        public String words() {
            return "needs a GPU of type " + type + "; " + has();
        }

        private String has() {
            if (known.isEmpty()) return "this cluster has no GPU";
            return known.equals(List.of(Gpu.DECLARED))
                    ? "this cluster's GPUs are only declared, and have no type"
                    : "this cluster has " + String.join(", ", known);
        }
    }

    /**
     * No GPU has such a part free: of so many that it could be on, so many are not in use.
     *
     * @param unmeasured how many have an unknown memory
     */
    record NoGpuHasRoom(GpuPart part, int gpus, int unused, int unmeasured) implements Obstacle {
        @Override
        public String words() {
            return "needs "
                    + switch (part) {
                        case GpuPart.Whole _ -> "a whole GPU";
                        case GpuPart.Fraction(int thousandths) -> milli(thousandths) + " of a GPU";
                        case GpuPart.Memory(long bytes) -> atLeast(bytes) + " of one GPU's memory";
                    }
                    + "; "
                    + has();
        }

        private String has() {
            if (gpus == 0) return "no ready node has such a GPU";
            if (part instanceof GpuPart.Memory && unmeasured == gpus) {
                return "the memory of this cluster's GPUs is unknown: ask for a part, such"
                        + " as 0.5";
            }
            return "no GPU has that much" + (unused < gpus ? " left" : "");
        }
    }

    /** Other tasks have these numbers on every node that would do otherwise. */
    record PortsTaken(List<Integer> ports) implements Obstacle {
        public PortsTaken {
            ports = List.copyOf(ports);
        }

        @Override
        public String words() {
            return "needs %s of its node, which other tasks have".formatted(numbered(ports));
        }
    }

    /** Some node has each of these free, but no node has all of them. */
    record NotOnOneNode(int gpus, int cpus, long memoryBytes) implements Obstacle {
        @Override
        public String words() {
            return "needs "
                    + count(gpus, "GPU")
                    + ", "
                    + count(cpus, "CPU")
                    + " and "
                    + atLeast(memoryBytes)
                    + " of memory together on one node; no node has all of them free";
        }

        @Override
        public String wordsIfEmpty() {
            return words().replace(" free", "");
        }
    }

    record BehindInQueue(int jobsAhead, JobId blocker) implements Obstacle {
        @Override
        public String words() {
            return "waits behind " + count(jobsAhead, "job") + "; next to start is " + blocker;
        }
    }

    /** Others have been asked to stop for it. */
    record BeingFreed(List<JobId> stopping) implements Obstacle {
        public BeingFreed {
            stopping = List.copyOf(stopping);
        }

        @Override
        public String words() {
            return "starts as soon as "
                    + (stopping.size() == 1
                            ? stopping.getFirst() + " has"
                            : stopping.size() + " jobs have")
                    + " stopped for it";
        }
    }

    /** Interactive work stays inside its project's quota. */
    record QuotaFull(String project, long milliGpusHeld, long milliGpusQuota, long milliGpusWanted)
            implements Obstacle {
        @Override
        public String words() {
            return "project %s holds %s of its %s GPUs, and interactive jobs run only inside the quota: it starts once %s free there"
                    .formatted(
                            project,
                            milli(milliGpusHeld),
                            milli(milliGpusQuota),
                            milliGpusWanted == 1_000 ? "1 is" : milli(milliGpusWanted) + " are");
        }
    }

    /** Other projects have quotas, and this one has none. */
    record NoQuota(String project) implements Obstacle {
        @Override
        public String words() {
            return "cannot start while project "
                    + project
                    + " has no quota: interactive jobs run only inside one";
        }

        @Override
        public boolean isForGood() {
            return true;
        }
    }

    /** It asks for more than the whole quota that interactive work stays inside. */
    record QuotaTooSmall(String project, long milliGpusQuota, long milliGpusWanted)
            implements Obstacle {
        @Override
        public String words() {
            return "cannot start with %s GPUs while the quota of project %s is %s: interactive jobs run only inside it"
                    .formatted(milli(milliGpusWanted), project, milli(milliGpusQuota));
        }

        @Override
        public boolean isForGood() {
            return true;
        }
    }

    record TooManyInteractive(String project, int max) implements Obstacle {
        @Override
        public String words() {
            return max == 0
                    ? "cannot start while project " + project + " allows no interactive jobs"
                    : "project %s has its %s running: it starts once one of them has ended"
                            .formatted(project, count(max, "interactive job"));
        }

        @Override
        public boolean isForGood() {
            return max == 0;
        }
    }

    record RetryPause(Instant until) implements Obstacle {
        @Override
        public String words() {
            return "pauses after a failed attempt until " + until.truncatedTo(SECONDS);
        }
    }

    /** No amount of waiting helps: the whole cluster, empty, is too small. */
    record NeverFits(String ask) implements Obstacle {
        @Override
        public String words() {
            return "can never start on this cluster: " + ask;
        }

        @Override
        public boolean isForGood() {
            return true;
        }
    }

    record NoNodes() implements Obstacle {
        @Override
        public String words() {
            return "the cluster has no ready node";
        }
    }

    /** Nothing is decided about a cluster that nobody can look at. */
    record Unreachable(String cluster, String reason) implements Obstacle {
        public Unreachable {
            // An engine may have said the same already.
            String said = beginning(cluster);
            if (reason.startsWith(said)) reason = reason.substring(said.length());
        }

        @Override
        public String words() {
            return beginning(cluster) + reason;
        }

        private static String beginning(String cluster) {
            return "the cluster " + cluster + " cannot be reached: ";
        }
    }

    private static String numbered(List<Integer> ports) {
        String numbers = ports.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (ports.size() == 1 ? "port " : "ports ") + numbers;
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /** Thousandths in whole and decimal numbers, as 2 or 0.5. */
    private static String milli(long thousandths) {
        return thousandths % 1_000 == 0
                ? String.valueOf(thousandths / 1_000)
                : String.valueOf(thousandths / 1_000.0);
    }

    /** What is wanted is rounded up and what there is down, so that the first stays the larger. */
    private static String atLeast(long bytes) {
        return size(bytes, RoundingMode.CEILING);
    }

    private static String atMost(long bytes) {
        return size(bytes, RoundingMode.FLOOR);
    }

    /** Such as {@code 512 MiB} or {@code 23.5 GiB}. */
    private static String size(long bytes, RoundingMode rounding) {
        boolean isLarge = bytes >= 1L << 30;
        BigDecimal number =
                new BigDecimal(bytes)
                        .divide(new BigDecimal(isLarge ? 1L << 30 : 1L << 20))
                        .setScale(isLarge ? 1 : 0, rounding);
        return number.stripTrailingZeros().toPlainString() + (isLarge ? " GiB" : " MiB");
    }
}
