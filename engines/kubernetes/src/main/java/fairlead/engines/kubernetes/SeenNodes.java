package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;

import io.fabric8.kubernetes.api.model.Toleration;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The nodes that pods of ours may go to, with what is left of them, counted again when anything has
 * changed. One that has declined a pod is shown as not ready for a while. Any thread.
 */
final class SeenNodes implements TaskPods.NodeFacts, Looker.Places {
    private final KubernetesSettings settings;
    private final String server;
    private final Watched watched;
    private final Map<String, String> nodeSelector;
    private final List<Toleration> tolerations;
    private final Declined declined;
    private volatile Nodes known = new Nodes(-1, Set.of(), List.of(), List.of());

    /**
     * @param seen what the cluster has
     * @param shown the same, but those that have declined are not ready
     */
    private record Nodes(long version, Set<String> declined, List<Node> seen, List<Node> shown) {}

    SeenNodes(
            KubernetesSettings settings,
            Optional<ObjectNode> template,
            String server,
            Watched watched) {
        this.settings = settings;
        this.server = server;
        this.watched = watched;
        this.nodeSelector = nodeSelector(template);
        this.tolerations = TaskPods.tolerations(settings, template);
        this.declined = new Declined(settings.startPatience());
    }

    private static Map<String, String> nodeSelector(Optional<ObjectNode> template) {
        var wanted = new HashMap<String, String>();
        template.map(pod -> pod.path("spec").path("nodeSelector").properties())
                .ifPresent(
                        all ->
                                all.forEach(
                                        each ->
                                                wanted.put(
                                                        each.getKey(), each.getValue().asText())));
        return wanted;
    }

    List<Node> shown() {
        return look().shown;
    }

    private Nodes look() {
        long version = watched.version();
        Set<String> passedOver = declined.nodes();
        Nodes last = known;
        if (last.version == version && last.declined.equals(passedOver)) return last;
        List<Node> seen = last.version == version ? last.seen : count();
        var now = new Nodes(version, passedOver, seen, seen.stream().map(declined::shown).toList());
        known = now;
        return now;
    }

    private List<Node> count() {
        var capacity = capacity();
        return watched.nodes().stream()
                .map(capacity::node)
                .sorted(Comparator.comparing(Node::name))
                .toList();
    }

    private Capacity capacity() {
        return new Capacity(server, tolerations, nodeSelector, watched.pods());
    }

    private Optional<Node> seen(String name) {
        return look().seen.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    @Override
    public List<Gpu> gpus(String node) {
        return seen(node).map(Node::gpus).orElse(List.of());
    }

    @Override
    public Map<String, BigDecimal> besideGpus(String name, BigDecimal gpus) {
        int hundredths = settings.rules().gpuRequests();
        if (hundredths == 0) return Map.of();
        return watched.node(name)
                .map(node -> capacity().besideGpus(node, gpus, hundredths))
                .orElse(Map.of());
    }

    @Override
    public int replicas(String node) {
        return watched.node(node).map(Capacity::replicas).orElse(1);
    }

    /** What we thought of the node was wrong, or is by now. */
    @Override
    public void declined(String node) {
        seen(node).ifPresent(declined::add);
    }

    @Override
    public void taken(String node) {
        declined.clear(node);
    }
}
