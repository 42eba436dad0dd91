package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import fairlead.cluster.Gpu;
import fairlead.engine.TaskEnvironment;
import fairlead.engine.TaskPorts;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.job.TaskPlacement;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The pods of one attempt, as they are to be made. Everything follows from the launch. */
final class TaskPods {
    static final String GPU = "nvidia.com/gpu";

    /** For who deletes a pod without saying how long it may take; our own stops say it. */
    private static final long GRACE_SECONDS = 30;

    /** The usual port of torch.distributed, and of TensorFlow's servers; each pod has its own. */
    private static final int MASTER_PORT = 29_500;

    private static final int TASK_PORT = 2_222;

    /** Where pods share their machine's network, ports follow from the job and its ranks. */
    private static final int HOST_PORT_FIRST = 20_000;

    private static final int HOST_PORTS = 10_000;

    private static final String KUEUE_QUEUE = "kueue.x-k8s.io/queue-name";
    private static final String KUEUE_GROUP = "kueue.x-k8s.io/pod-group-name";
    private static final String KUEUE_COUNT = "kueue.x-k8s.io/pod-group-total-count";

    /** CPUs and memory. */
    private static final int COUNTED = 2;

    /** Names that every version of Kubernetes takes. */
    private static final Pattern VARIABLE = Pattern.compile("[-._a-zA-Z][-._a-zA-Z0-9]*");

    private static final String CLUSTER_USER = "CLUSTER_USER";
    private static final String CLUSTER_USER_ID = "CLUSTER_USER_ID";
    private static final String CLUSTER_GROUP_ID = "CLUSTER_GROUP_ID";

    private final KubernetesSettings settings;
    private final String server;
    private final Effect.Launch launch;
    private final JobSpec spec;
    private final Container.Details details;
    private final List<TaskPlacement> tasks;
    private final Map<Integer, String> devices;
    private final List<Integer> ports;
    private final TaskEnvironment environment;
    private final NodeFacts nodes;
    private final List<ObjectNode> templates;

    /** What is known of nodes, by their names. */
    interface NodeFacts {
        List<Gpu> gpus(String node);

        /** What a task with so many of its GPUs asks for where it says nothing. */
        Map<String, BigDecimal> besideGpus(String node, BigDecimal gpus);

        /** Into how many parts its device plugin cuts each GPU; 1: it does not. */
        int replicas(String node);
    }

    /**
     * @param devices by rank, the GPU of each task that has a part of one
     * @param templates that the pods are merged into, the more important ones later
     */
    TaskPods(
            KubernetesSettings settings,
            String server,
            Effect.Launch launch,
            Map<Integer, String> devices,
            NodeFacts nodes,
            List<ObjectNode> templates) {
        this.settings = settings;
        this.server = server;
        this.launch = launch;
        this.spec = launch.job().spec();
        this.details = spec.container().details();
        this.tasks = launch.place().placement().tasks();
        this.devices = devices;
        this.nodes = nodes;
        this.templates = templates;
        this.ports = ports();
        this.environment =
                new TaskEnvironment(launch, hosts(), ports, nodes::gpus, settings.more());
    }

    static String namespace(KubernetesSettings settings, JobSpec spec) {
        return Names.namespace(settings.namespace(), spec.project());
    }

    String namespace() {
        return namespace(settings, spec);
    }

    boolean isGang() {
        return tasks.size() > 1;
    }

    private List<String> hosts() {
        String domain = Names.shared(launch.attempt());
        var hosts = new ArrayList<String>();
        for (int rank = 0; rank < tasks.size(); rank++) {
            String host = Names.host(Names.pod(launch.attempt(), spec, rank));
            hosts.add(isGang() ? host + "." + domain : "127.0.0.1");
        }
        return hosts;
    }

    private List<Integer> ports() {
        int meeting = TaskEnvironment.portsFor(launch) - TaskPorts.anyFor(launch);
        boolean isShared = details.hostNetwork();
        int next = isShared ? Math.floorMod(launch.attempt().job().hashCode(), HOST_PORTS) : 0;
        var ports = new ArrayList<Integer>();
        for (int i = 0; i < meeting; i++) {
            ports.add(isShared ? hostPort(next++) : i == 0 ? MASTER_PORT : TASK_PORT);
        }
        for (TaskPlacement task : tasks) {
            Role role = spec.role(task.task().role());
            int missing =
                    role.ports().stream()
                            .filter(port -> !port.isFixed())
                            .mapToInt(Role.Ports::count)
                            .sum();
            // A role has far fewer ports than there are here, so the search always ends.
            for (; missing > 0; next++) {
                int port = hostPort(next);
                if (port == MASTER_PORT || role.resources().ports().contains(port)) continue;
                ports.add(port);
                missing--;
            }
        }
        return ports;
    }

    private static int hostPort(int number) {
        return HOST_PORT_FIRST + number % HOST_PORTS;
    }

    /** The pod that owns whatever belongs to the attempt: with it, all of that goes. */
    static OwnerReference owner(Pod first) {
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Pod")
                .withName(first.getMetadata().getName())
                .withUid(first.getMetadata().getUid())
                .build();
    }

    /**
     * @param first the pod of rank 0, for all others
     */
    Pod pod(int rank, Optional<Pod> first) {
        TaskPlacement place = tasks.get(rank);
        Role role = spec.role(place.task().role());
        var mounts = new PodMounting(spec.container(), launch.job().id());
        var pod =
                new PodBuilder()
                        .withMetadata(
                                new ObjectMetaBuilder()
                                        .withNamespace(namespace())
                                        .withName(Names.pod(launch.attempt(), spec, rank))
                                        .withLabels(labels(rank))
                                        .withAnnotations(annotations(rank, place))
                                        .withFinalizers(Marks.FINALIZER)
                                        .withOwnerReferences(
                                                first.map(TaskPods::owner).stream().toList())
                                        .build())
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .withTerminationGracePeriodSeconds(GRACE_SECONDS)
                        .withAutomountServiceAccountToken(false)
                        .withEnableServiceLinks(false)
                        // Otherwise the command is process 1 of its container, which the kernel
                        // does not end by a signal that it has no handler for.
                        .withShareProcessNamespace(true)
                        .withTolerations(tolerations(settings, Optional.empty()))
                        .withImagePullSecrets(pullSecrets())
                        .withVolumes(mounts.volumes())
                        .addNewContainer()
                        .withName(Marks.CONTAINER)
                        .withImage(spec.container().image().or(settings::image).orElseThrow())
                        .withEnv(variables(rank))
                        .withVolumeMounts(mounts.mounts())
                        .endContainer()
                        .endSpec()
                        .build();
        var container = pod.getSpec().getContainers().getFirst();
        List<String> command = role.command().stream().map(TaskPods::unexpanded).toList();
        if (details.ownEntryPoint()) container.setArgs(command);
        else container.setCommand(command);
        if (!spec.workingFolder().isEmpty()) container.setWorkingDir(spec.workingFolder());
        details.pullPolicy().ifPresent(policy -> container.setImagePullPolicy(text(policy)));
        container.setResources(resources(role.resources(), place));
        container.setPorts(PodServices.containerPorts(spec.container()));
        if (details.stdin()) container.setStdin(true);
        if (details.tty()) container.setTty(true);
        if (!spec.environment().isEmpty())
            container.setEnvFrom(List.of(PodServices.allOf(Names.shared(launch.attempt()))));
        var body = pod.getSpec();
        boolean isSeen = settings.rules().sight() == KubernetesSettings.Sight.CLUSTER;
        if (isSeen && !Growth.isNew(place.node())) body.setAffinity(Placing.on(place.node()));
        if (details.hostIpc()) body.setHostIPC(true);
        if (details.hostNetwork()) {
            body.setHostNetwork(true);
            body.setDnsPolicy("ClusterFirstWithHostNet");
        }
        if (isGang()) {
            body.setHostname(Names.host(pod.getMetadata().getName()));
            body.setSubdomain(Names.shared(launch.attempt()));
        }
        if (!bringsAccount()) details.runAs().ifPresent(as -> PodServices.runAs(body, as));
        return grouped(PodTemplate.merged(pod, templates));
    }

    /** Kueue admits the pods of a gang together if they say that they belong to each other. */
    private Pod grouped(Pod pod) {
        if (!isGang() || Marks.label(pod, KUEUE_QUEUE).isEmpty()) return pod;
        return new PodBuilder(pod)
                .editMetadata()
                .addToLabels(KUEUE_GROUP, Names.shared(launch.attempt()))
                .addToAnnotations(KUEUE_COUNT, Integer.toString(tasks.size()))
                .endMetadata()
                .build();
    }

    private Map<String, String> labels(int rank) {
        var labels = new LinkedHashMap<String, String>();
        labels.put(Marks.SERVER, server);
        labels.put(Marks.RANK, Integer.toString(rank));
        labels.put(Marks.HEX, Names.hex(launch.job().id()));
        labels.put(Marks.NAME, Names.label(spec.name()));
        labels.put(Marks.SHARED, Names.shared(launch.attempt()));
        labels.put(Marks.USER, Names.label(launch.job().owner()));
        labels.put(Marks.PRIORITY, Names.priority(launch.job().priority()));
        return labels;
    }

    private Map<String, String> annotations(int rank, TaskPlacement place) {
        var annotations = new LinkedHashMap<String, String>();
        annotations.put(Marks.JOB, launch.job().id().text());
        annotations.put(Marks.ATTEMPT, Integer.toString(launch.attempt().number()));
        annotations.put(Marks.ROLE, place.task().role());
        annotations.put(Marks.INDEX, Integer.toString(place.task().index()));
        annotations.put(Marks.TASKS, Integer.toString(tasks.size()));
        annotations.put(Marks.NODE, place.node());
        annotations.put(Marks.GPUS, Marks.text(place.gpus()));
        boolean hasLabels = spec.roles().stream().anyMatch(role -> !role.ports().isEmpty());
        // The ports of all tasks, for whoever looks at the attempt later.
        if (rank == 0 && hasLabels && ports.size() <= Marks.PORTS_MAX)
            annotations.put(Marks.PORTS, Marks.text(ports));
        return annotations;
    }

    /** Variables that differ between tasks; those of the job, with its tokens, are in a secret. */
    private List<EnvVar> variables(int rank) {
        var all = new LinkedHashMap<>(environment.of(rank));
        if (tasks.get(rank).shares().isEmpty()) all.put(Reservations.VISIBLE, "void");
        if (devices.containsKey(rank)) all.put(Reservations.VISIBLE, devices.get(rank));
        details.runAs()
                .ifPresent(
                        as -> {
                            all.put(CLUSTER_USER, launch.job().owner());
                            all.put(CLUSTER_USER_ID, Long.toString(as.user()));
                            as.group()
                                    .ifPresent(id -> all.put(CLUSTER_GROUP_ID, Long.toString(id)));
                        });
        // What the job says itself comes from the secret, which a variable here would hide.
        List.of(CLUSTER_USER, CLUSTER_USER_ID, CLUSTER_GROUP_ID).stream()
                .filter(spec.environment()::containsKey)
                .forEach(all::remove);
        var list = new ArrayList<EnvVar>();
        // The cluster would refuse the whole pod.
        all.keySet().removeIf(name -> !VARIABLE.matcher(name).matches());
        all.forEach(
                (name, value) ->
                        list.add(
                                new EnvVarBuilder()
                                        .withName(name)
                                        .withValue(unexpanded(value))
                                        .build()));
        return list;
    }

    /** Its image makes the account by itself, for which it must start as root. */
    private boolean bringsAccount() {
        return spec.environment().containsKey(CLUSTER_USER_ID);
    }

    private ResourceRequirements resources(Resources ask, TaskPlacement place) {
        var limits = new LinkedHashMap<String, Quantity>();
        if (ask.cpus() > 0) limits.put("cpu", new Quantity(Integer.toString(ask.cpus())));
        if (ask.memoryBytes() > 0)
            limits.put("memory", new Quantity(Long.toString(ask.memoryBytes())));
        var requests = new LinkedHashMap<>(limits);
        // Otherwise nothing keeps the node from starving the task that has its GPUs.
        if (!place.shares().isEmpty() && requests.size() < COUNTED) {
            BigDecimal gpus = BigDecimal.valueOf(ask.milliGpus(), 3);
            nodes.besideGpus(place.node(), gpus)
                    .forEach(
                            (what, much) ->
                                    requests.putIfAbsent(what, new Quantity(much.toPlainString())));
        }
        long devices = devices(ask, place);
        if (devices > 0) limits.put(GPU, new Quantity(Long.toString(devices)));
        return new ResourceRequirementsBuilder().withRequests(requests).withLimits(limits).build();
    }

    /** Where the device plugin cuts GPUs into replicas, also a part of a GPU is some of them. */
    private long devices(Resources ask, TaskPlacement place) {
        long whole = place.shares().stream().filter(Share::isWhole).count();
        int replicas = nodes.replicas(place.node());
        if (replicas == 1) return whole;
        if (whole > 0) return whole * replicas;
        if (place.shares().isEmpty()) return 0;
        return Math.max(1, (ask.milliGpus() * (long) replicas + Resources.GPU - 1) / Resources.GPU);
    }

    private List<LocalObjectReference> pullSecrets() {
        var names = new LinkedHashSet<>(settings.pullSecrets());
        names.addAll(details.pullSecrets());
        if (launch.login().isPresent()) names.add(Names.login(launch.attempt()));
        return references(names);
    }

    static List<LocalObjectReference> references(Collection<String> names) {
        return names.stream().map(LocalObjectReference::new).toList();
    }

    /**
     * The settings' own, and GPU nodes' usual one for every task: the scheduler has chosen the
     * node, and a task without GPUs sees none of them.
     */
    static List<Toleration> tolerations(
            KubernetesSettings settings, Optional<ObjectNode> template) {
        var all = new ArrayList<Toleration>();
        if (template.isPresent()) {
            for (JsonNode each : template.get().at("/spec/tolerations"))
                all.add(Serialization.unmarshal(each.toString(), Toleration.class));
        }
        for (String text : settings.tolerations()) all.add(Placing.toleration(text));
        all.add(new TolerationBuilder().withKey(GPU).withOperator("Exists").build());
        return all;
    }

    private static String text(Container.PullPolicy policy) {
        return switch (policy) {
            case ALWAYS -> "Always";
            case IF_NOT_PRESENT -> "IfNotPresent";
            case NEVER -> "Never";
        };
    }

    /**
     * Kubernetes puts variables where {@code $(NAME)} stands and takes {@code $$} for one sign, so
     * that a shell's own number would be lost. A task gets what was written.
     */
    static String unexpanded(String text) {
        return text.replace("$", "$$");
    }
}
