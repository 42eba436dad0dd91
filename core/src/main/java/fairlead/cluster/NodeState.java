package fairlead.cluster;

import fairlead.job.GpuPart;
import fairlead.job.Resources;
import fairlead.job.Share;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A node and what is free on it now. What is free may be negative when a node has shrunk under its
 * tasks: nothing more fits then, and nothing is taken from those that run.
 *
 * @param freeUnits for each of the node's GPUs, in their order
 * @param ports that its tasks have for themselves
 */
public record NodeState(
        Node node, List<Long> freeUnits, int freeCpus, long freeMemoryBytes, Set<Integer> ports) {
    public NodeState {
        freeUnits = List.copyOf(freeUnits);
        ports = Set.copyOf(ports);
    }

    public static NodeState empty(Node node) {
        return new NodeState(
                node,
                node.gpus().stream().map(Gpu::units).toList(),
                node.cpus(),
                node.memoryBytes(),
                Set.of());
    }

    /** The GPUs that nobody uses any part of. */
    public List<Integer> freeGpus() {
        var free = new ArrayList<Integer>();
        for (int i = 0; i < freeUnits.size(); i++) {
            Gpu gpu = node.gpus().get(i);
            if (freeUnits.get(i) == gpu.units()) free.add(gpu.index());
        }
        return free;
    }

    public boolean fits(Resources ask) {
        return hasAllButGpus(ask) && hasGpus(ask);
    }

    /** Whether there are {@link #shares}, without making them: most nodes are asked in vain. */
    private boolean hasGpus(Resources ask) {
        int found = 0;
        for (int i = 0; i < freeUnits.size() && found < ask.gpus(); i++) {
            if (gives(i, ask)) found++;
        }
        return found == ask.gpus();
    }

    private boolean hasAllButGpus(Resources ask) {
        return node.ready()
                && (ask.labels().isEmpty() || node.labels().containsAll(ask.labels()))
                && (ask.cpus() == 0 || ask.cpus() <= freeCpus)
                && (ask.memoryBytes() == 0 || ask.memoryBytes() <= freeMemoryBytes)
                && (ask.ports().isEmpty() || Collections.disjoint(ports, ask.ports()));
    }

    /**
     * The GPUs to give: for whole ones the first that are free, for a part the fullest GPU that
     * still holds it, so that others stay whole.
     */
    public Optional<List<Share>> shares(Resources ask) {
        if (ask.gpus() == 0) return Optional.of(List.of());
        return ask.part() instanceof GpuPart.Whole ? wholeShares(ask) : partShare(ask);
    }

    private Optional<List<Share>> wholeShares(Resources ask) {
        var shares = new ArrayList<Share>();
        for (int i = 0; i < freeUnits.size() && shares.size() < ask.gpus(); i++) {
            if (gives(i, ask)) shares.add(Share.whole(node.gpus().get(i).index()));
        }
        return shares.size() == ask.gpus() ? Optional.of(shares) : Optional.empty();
    }

    private Optional<List<Share>> partShare(Resources ask) {
        Share best = null;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < freeUnits.size(); i++) {
            long free = freeUnits.get(i);
            if (free < least && gives(i, ask)) {
                Gpu gpu = node.gpus().get(i);
                best = new Share(gpu.index(), units(ask.part(), gpu));
                least = free;
            }
        }
        return Optional.ofNullable(best).map(List::of);
    }

    /** Whether one of the GPUs, by its place among them, has what is asked of each. */
    private boolean gives(int place, Resources ask) {
        Gpu gpu = node.gpus().get(place);
        long free = freeUnits.get(place);
        if (!gpu.isOf(ask.gpuType())) return false;
        if (ask.part() instanceof GpuPart.Whole) return free == gpu.units();
        long wanted = units(ask.part(), gpu);
        return wanted > 0 && wanted <= free;
    }

    /** Zero when the GPU cannot give such a part. */
    private static long units(GpuPart part, Gpu gpu) {
        return switch (part) {
            case GpuPart.Whole _ -> gpu.units();
            case GpuPart.Fraction(int thousandths) -> gpu.units() * thousandths / 1_000;
            case GpuPart.Memory(long bytes) ->
                    gpu.memoryBytes() > 0 && bytes <= gpu.memoryBytes() ? bytes : 0;
        };
    }

    /** Takes exactly these; refuses what is not free or not what the task asks for. */
    public NodeState take(Resources ask, List<Share> shares) {
        if (!isFree(ask, shares)) {
            throw new IllegalArgumentException(
                    ask
                            + " with "
                            + shares
                            + " does not fit on "
                            + node.name()
                            + ", free: "
                            + freeUnits);
        }
        return hold(ask, shares);
    }

    /** Whether the node would give exactly these to a task that asks for this. */
    public boolean isFree(Resources ask, List<Share> shares) {
        boolean isAsked = hasAllButGpus(ask) && shares.size() == ask.gpus();
        var seen = new HashSet<Integer>();
        for (Share share : shares) isAsked &= seen.add(share.gpu()) && isFree(ask, share);
        return isAsked;
    }

    private boolean isFree(Resources ask, Share share) {
        for (int i = 0; i < freeUnits.size(); i++) {
            Gpu gpu = node.gpus().get(i);
            if (gpu.index() != share.gpu()) continue;
            long wanted = units(ask.part(), gpu);
            boolean isWhole = ask.part() instanceof GpuPart.Whole;
            return gpu.isOf(ask.gpuType())
                    && share.isWhole() == isWhole
                    && (isWhole ? freeUnits.get(i) == gpu.units() : share.units() == wanted)
                    && wanted > 0
                    && wanted <= freeUnits.get(i);
        }
        return false;
    }

    /** Counts what a task holds, whether or not the node would take it now. */
    public NodeState hold(Resources ask, List<Share> shares) {
        return changed(ask, shares, -1);
    }

    public NodeState release(Resources ask, List<Share> shares) {
        return changed(ask, shares, 1);
    }

    /** What is free both in this picture of the node and in the other one. */
    public NodeState both(NodeState other) {
        var units = new ArrayList<Long>();
        for (int i = 0; i < freeUnits.size(); i++) {
            units.add(Math.min(freeUnits.get(i), other.freeUnits.get(i)));
        }
        var all = new HashSet<>(ports);
        all.addAll(other.ports);
        return new NodeState(
                node,
                units,
                Math.min(freeCpus, other.freeCpus),
                Math.min(freeMemoryBytes, other.freeMemoryBytes),
                all);
    }

    /** Holds as much of it as is free, down to nothing. */
    public NodeState holdWhatIsFree(Resources ask, List<Share> shares) {
        NodeState held = hold(ask, shares);
        var units = new ArrayList<Long>();
        for (int i = 0; i < freeUnits.size(); i++) {
            units.add(floor(freeUnits.get(i), held.freeUnits.get(i)));
        }
        return new NodeState(
                node,
                units,
                (int) floor(freeCpus, held.freeCpus),
                floor(freeMemoryBytes, held.freeMemoryBytes),
                held.ports);
    }

    /** Not below nothing, unless it was so before. */
    private static long floor(long before, long after) {
        return Math.max(after, Math.min(before, 0));
    }

    private NodeState changed(Resources ask, List<Share> shares, int sign) {
        var units = new ArrayList<>(freeUnits);
        for (Share share : shares) {
            for (int i = 0; i < units.size(); i++) {
                Gpu gpu = node.gpus().get(i);
                if (gpu.index() != share.gpu()) continue;
                long held = share.isWhole() ? gpu.units() : share.units();
                units.set(i, units.get(i) + sign * held);
            }
        }
        return new NodeState(
                node,
                units,
                freeCpus + sign * ask.cpus(),
                freeMemoryBytes + sign * ask.memoryBytes(),
                ask.ports().isEmpty() ? ports : changed(ask.ports(), sign));
    }

    private Set<Integer> changed(List<Integer> asked, int sign) {
        var changed = new HashSet<>(ports);
        if (sign < 0) {
            changed.addAll(asked);
        } else {
            asked.forEach(changed::remove);
        }
        return changed;
    }
}
