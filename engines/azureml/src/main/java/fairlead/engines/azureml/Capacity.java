package fairlead.engines.azureml;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.engines.azureml.rest.Doc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a compute has, as one wide node: Azure chooses the machines. A machine that one job has is
 * nobody else's, whatever the job uses of it.
 *
 * @param machines the most that the compute may have
 * @param busy those that run a job or are made ready for one
 * @param unusable those that are broken
 * @param size of its machines, in Azure's word
 * @param problems why it may have fewer machines than it should; empty when all is well
 */
record Capacity(
        String name,
        boolean isReady,
        int machines,
        int busy,
        int unusable,
        Size size,
        String problems) {
    private static final long GIBIBYTE = 1L << 30;

    /** One machine. */
    record Size(String word, int gpus, int cpus, long memoryBytes) {
        /** Of Azure's list, by its name in any case. */
        static Size of(String word, List<Doc> sizes) {
            for (Doc each : sizes) {
                if (!each.at("name").text().equalsIgnoreCase(word)) continue;
                double memory =
                        each.at("memoryGB").value() instanceof Number number
                                ? number.doubleValue()
                                : 0;
                return new Size(
                        word,
                        each.at("gpus").number(),
                        each.at("vCPUs").number(),
                        (long) (memory * GIBIBYTE));
            }
            return new Size(word, 0, 0, 0);
        }

        Size withGpus(int other) {
            return new Size(word, other, cpus, memoryBytes);
        }
    }

    static String size(Doc compute) {
        return compute.at("properties", "properties", "vmSize").text();
    }

    static Capacity of(Doc compute, Size size) {
        Doc more = compute.at("properties", "properties");
        Doc counts = more.at("nodeStateCounts");
        var problems = new ArrayList<String>();
        for (Doc error : more.at("errors").list()) problems.add(words(error));
        for (Doc error : compute.at("properties", "provisioningErrors").list())
            problems.add(words(error));
        String state = compute.at("properties", "provisioningState").text();
        return new Capacity(
                compute.at("name").text(),
                state.equals("Succeeded"),
                more.at("scaleSettings", "maxNodeCount").number(),
                counts.at("runningNodeCount").number()
                        + counts.at("preparingNodeCount").number()
                        + counts.at("leavingNodeCount").number(),
                counts.at("unusableNodeCount").number(),
                size,
                String.join("; ", problems));
    }

    private static String words(Doc problem) {
        Doc error = problem.at("error").value() == null ? problem : problem.at("error");
        return (error.at("code").text() + ": " + error.at("message").text()).strip();
    }

    /**
     * @param live those that have not ended
     * @param mayTake whether more jobs may be sent
     */
    Node node(Collection<LiveAttempt> live, boolean mayTake) {
        int ours = 0;
        int running = 0;
        Set<Integer> used = new HashSet<>();
        for (LiveAttempt attempt : live) {
            AttemptRecord record = attempt.record;
            ours += record.shape().machines();
            if (attempt.status == JobStatus.RUNNING) running += record.shape().machines();
            record.tasks().forEach(task -> used.addAll(task.gpus()));
        }
        int others = Math.max(0, busy - running);
        int free = Math.max(0, machines - unusable - others - ours) * size.gpus();
        var gpus = new ArrayList<Gpu>();
        int most =
                Math.max(
                        machines * size.gpus(), used.stream().max(Integer::compare).orElse(-1) + 1);
        for (int i = 0; i < most; i++) {
            boolean isOffered = used.contains(i) || free-- > 0;
            if (isOffered) gpus.add(new Gpu(i, size.word(), 0));
        }
        int offered = Math.max(0, machines - unusable - others);
        return new Node(
                name,
                gpus,
                offered * size.cpus(),
                offered * size.memoryBytes(),
                isReady && mayTake,
                List.of("size=" + size.word()));
    }

    /**
     * As few machines as hold tasks of so many GPUs, with as many tasks on each. Tasks without GPUs
     * are all on one.
     */
    AttemptRecord.Shape shape(List<Integer> gpus) {
        int tasks = gpus.size();
        int most = gpus.stream().mapToInt(Integer::intValue).max().orElse(0);
        boolean isEven = gpus.stream().allMatch(each -> each == most);
        int fit = most == 0 ? tasks : isEven ? Math.max(1, size.gpus() / most) : 1;
        int perMachine = Math.min(fit, tasks);
        while (tasks % perMachine != 0) perMachine--;
        return new AttemptRecord.Shape(tasks / perMachine, perMachine);
    }
}
