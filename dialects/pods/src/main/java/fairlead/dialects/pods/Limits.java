package fairlead.dialects.pods;

import java.util.List;

/**
 * What a container asks for. Its limits count; where one is missing, its request.
 *
 * @param memory in bytes, or null
 */
record Limits(int gpus, Integer cpus, Long memory) {
    private static final String GPU = "nvidia.com/gpu";
    private static final int GPUS_MAX = 4_096;
    private static final int CPUS_MAX = 65_536;

    static Limits of(Section container, List<Remark> remarks) throws Misuse {
        Section resources = container.section("resources");
        if (resources == null) return new Limits(0, null, null);
        Section limits = resources.section("limits");
        Section requests = resources.section("requests");
        resources.tellRest(remarks);
        refuseOtherGpus(limits);
        Long gpus = limits == null ? null : limits.whole(GPU, GPUS_MAX);
        if (requests != null) requests.pass(GPU);
        Quantity cpus = amount(limits, requests, "cpu", remarks);
        Quantity memory = amount(limits, requests, "memory", remarks);
        if (limits != null) limits.tellRest(remarks);
        if (requests != null) requests.tellRest(remarks);
        return new Limits(
                gpus == null ? 0 : gpus.intValue(),
                cpus == null ? null : Integer.valueOf((int) Math.min(cpus.whole(), CPUS_MAX)),
                memory == null ? null : Long.valueOf(memory.whole()));
    }

    private static void refuseOtherGpus(Section limits) throws Misuse {
        if (limits == null) return;
        for (String key : limits.keys()) {
            if (key.contains("/") && !key.equals(GPU)) {
                throw limits.mistake(key, "is not known; possible are cpu, memory and " + GPU);
            }
        }
    }

    private static Quantity amount(
            Section limits, Section requests, String key, List<Remark> remarks) throws Misuse {
        Quantity limit = limits == null ? null : Quantity.of(limits, key);
        Quantity request = requests == null ? null : Quantity.of(requests, key);
        if (limit != null && request != null && limit.amount().compareTo(request.amount()) != 0) {
            remarks.add(
                    new Remark(
                            requests.line(key),
                            requests.at(key) + " is ignored: the limit counts"));
        }
        return limit == null ? request : limit;
    }
}
