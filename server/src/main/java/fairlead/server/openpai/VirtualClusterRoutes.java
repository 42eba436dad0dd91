package fairlead.server.openpai;

import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.runtime.Questions;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** Virtual clusters, which are projects. */
final class VirtualClusterRoutes {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final long MIB = 1L << 20;

    private static final String NO_GPUS =
            "the cluster has no GPUs, so a share of them promises nothing; the capacity stays 0";

    private final Controller controller;
    private final Questions questions;
    private final Access access;
    private final String cluster;

    VirtualClusterRoutes(
            Controller controller, Questions questions, Access access, String cluster) {
        this.controller = controller;
        this.questions = questions;
        this.access = access;
        this.cluster = cluster;
    }

    /** What a project's jobs hold and wait for. */
    private record Use(int active, int pending, long milliGpus, long cpus, long memoryBytes) {
        static final Use NONE = new Use(0, 0, 0, 0, 0);

        static Use of(Job job) {
            if (job.state() instanceof JobState.Queued) return new Use(0, 1, 0, 0, 0);
            long cpus = 0;
            long memoryBytes = 0;
            for (Role role : job.spec().roles()) {
                Resources each = role.resources();
                cpus += (long) role.count() * each.cpus();
                memoryBytes += role.count() * each.memoryBytes();
            }
            return new Use(1, 0, job.spec().milliGpus(), cpus, memoryBytes);
        }

        Use plus(Use more) {
            return new Use(
                    active + more.active,
                    pending + more.pending,
                    milliGpus + more.milliGpus,
                    cpus + more.cpus,
                    memoryBytes + more.memoryBytes);
        }

        int jobs() {
            return active + pending;
        }
    }

    /**
     * Whoever asks, a name that OpenPAI would not give is refused, and {@code default} is only
     * looked at. A project of ours may have another name.
     */
    void checkName(String method, String name) {
        boolean isLook = method.equals("GET");
        boolean isName =
                NAME.matcher(name).matches() || VirtualClusters.all(controller).containsKey(name);
        if (!isName)
            throw PaiProblem.invalid(
                    "VC name should only contain alpha-numeric and underscore characters");
        if (!isLook && name.equals(Project.DEFAULT))
            throw new PaiProblem(
                    PaiCode.FORBIDDEN_USER, "Update operation to default vc isn't allowed");
    }

    void list(PaiCall call) {
        VirtualClusters clusters = VirtualClusters.of(controller, cluster);
        Map<String, Use> use = use();
        var all = new LinkedHashMap<String, Object>();
        for (Project project : clusters.projects().values())
            all.put(project.name(), body(project, clusters, use));
        call.send(200, all);
    }

    void show(PaiCall call) {
        VirtualClusters clusters = VirtualClusters.of(controller, cluster);
        String name = name(call);
        Project project = clusters.projects().get(name);
        if (project == null) throw unknown("Vc %.64s not found".formatted(name));
        call.send(200, body(project, clusters, use()));
    }

    private static String name(PaiCall call) {
        return call.virtualCluster().orElseThrow();
    }

    private static PaiProblem unknown(String message) {
        return new PaiProblem(PaiCode.NO_VIRTUAL_CLUSTER, message);
    }

    private Map<String, Use> use() {
        var use = new HashMap<String, Use>();
        for (Job job : controller.unfinished())
            use.merge(job.spec().project(), Use.of(job), Use::plus);
        return use;
    }

    private static Map<String, Object> body(
            Project project, VirtualClusters clusters, Map<String, Use> all) {
        Use use = all.getOrDefault(project.name(), Use.NONE);
        var resources = new LinkedHashMap<String, Object>();
        resources.put("memory", use.memoryBytes() / MIB);
        resources.put("vCores", use.cpus());
        resources.put("GPUs", use.milliGpus() / 1000.0);
        var body = new LinkedHashMap<String, Object>();
        body.put("capacity", clusters.capacity(project));
        // Idle GPUs are lent to everyone, so there is no other limit.
        body.put("maxCapacity", 100);
        body.put("usedCapacity", clusters.percent(use.milliGpus()));
        body.put("numActiveJobs", use.active());
        body.put("numJobs", use.jobs());
        body.put("numPendingJobs", use.pending());
        body.put("resourcesUsed", resources);
        body.put("status", project.stopped() ? "STOPPED" : "RUNNING");
        return body;
    }

    void set(PaiCall call) throws IOException, Refused, InterruptedException {
        Fields fields = call.fields().only("vcCapacity", "vcMaxCapacity");
        BigDecimal capacity =
                fields.number("vcCapacity", BigDecimal.ZERO, HUNDRED)
                        .orElseThrow(() -> PaiProblem.invalid("\"vcCapacity\" is required"));
        fields.number("vcMaxCapacity", capacity, HUNDRED);
        call.onlyAdmin();
        String name = name(call);
        boolean isNew;
        questions.changing().lockInterruptibly();
        try {
            refuseUnseen();
            VirtualClusters clusters = VirtualClusters.of(controller, cluster);
            if (clusters.gpus() == 0 && capacity.signum() > 0) call.warn(List.of(NO_GPUS));
            isNew = !clusters.projects().containsKey(name);
            Project before = isNew ? fresh(name) : clusters.projects().get(name);
            OptionalInt quota = clusters.quota(name, capacity);
            promise(clusters, before, quota);
            double got = clusters.percent(1_000L * quota.orElse(0));
            if (clusters.gpus() > 0 && got != capacity.doubleValue())
                call.warn(
                        List.of(
                                "a GPU is not divided: %s has %d of %d, which is %s %%"
                                        .formatted(
                                                name,
                                                quota.orElse(0),
                                                clusters.gpus(),
                                                BigDecimal.valueOf(got)
                                                        .stripTrailingZeros()
                                                        .toPlainString())));
        } finally {
            questions.changing().unlock();
        }
        call.sendMessage(
                201,
                "%s vc: %s to capacity: %s successfully"
                        .formatted(
                                isNew ? "create" : "update",
                                name,
                                capacity.stripTrailingZeros().toPlainString()));
    }

    /**
     * Before a cluster is reached for the first time, a share of it is a share of nobody knows
     * what.
     */
    private void refuseUnseen() {
        if (controller.view(cluster).nodes().isEmpty())
            throw new PaiProblem(
                    PaiCode.NO_ENOUGH_QUOTA,
                    "No enough quota: the machines of the cluster %s are not known yet; try again"
                            .formatted(cluster));
    }

    /** Only admins may use it until somebody is let in; a project of ours would be open. */
    private Project fresh(String name) {
        var admins = new TreeSet<String>();
        for (Caller each : access.everyone().values()) if (each.isAdmin()) admins.add(each.name());
        return Project.named(name).withMembers(admins);
    }

    /**
     * Whoever gives goes first, so that never more is promised than there is. What a crash leaves
     * in between is unpromised, and the next change gives it to {@code default}.
     */
    private void promise(VirtualClusters clusters, Project project, OptionalInt quota)
            throws Refused, InterruptedException {
        Project rest = clusters.projects().get(Project.DEFAULT);
        rest = rest.withQuota(clusters.rest(project.name(), quota));
        boolean grows = quota.orElse(0) > project.quota().orElse(0);
        if (grows) keep(rest);
        keep(project.withQuota(quota));
        if (!grows) keep(rest);
    }

    private void keep(Project project) throws Refused, InterruptedException {
        questions.ask(new Message.SetProject(project, new CompletableFuture<>()));
    }

    void delete(PaiCall call) throws Refused, InterruptedException {
        call.onlyAdmin();
        String name = name(call);
        questions.changing().lockInterruptibly();
        try {
            VirtualClusters clusters = VirtualClusters.of(controller, cluster);
            if (!clusters.projects().containsKey(name))
                throw unknown("Can't delete a nonexistent vc " + name);
            refuseWhileUsed(name);
            for (Person person : controller.people().values()) {
                if (!person.project().equals(name)) continue;
                Person moved = person.withProject(Project.DEFAULT);
                questions.ask(new Message.SetPerson(moved, new CompletableFuture<>()));
            }
            forget(name);
            Project rest = clusters.projects().get(Project.DEFAULT);
            keep(rest.withQuota(clusters.rest(name, OptionalInt.empty())));
        } finally {
            questions.changing().unlock();
        }
        call.sendMessage(201, "Remove vc: %s successfully".formatted(name));
    }

    private void refuseWhileUsed(String name) {
        int jobs = use().getOrDefault(name, Use.NONE).jobs();
        if (jobs > 0)
            throw new PaiProblem(
                    PaiCode.REMOVE_RUNNING_VC,
                    "Can't delete vc %s, %d jobs are running, stop them before delete vc"
                            .formatted(name, jobs));
    }

    /** A job may have come since we looked; the controller knows. */
    private void forget(String name) throws Refused, InterruptedException {
        try {
            questions.ask(new Message.DeleteProject(name, new CompletableFuture<>()));
        } catch (Refused refused) {
            if (refused.kind() != Refused.Kind.CONFLICT) throw refused;
            throw new PaiProblem(PaiCode.REMOVE_RUNNING_VC, refused.getMessage());
        }
    }

    void setStatus(PaiCall call) throws IOException, Refused, InterruptedException {
        String status = call.fields().only("vcStatus").requiredText("vcStatus");
        boolean stops =
                switch (status) {
                    case "stopped" -> true;
                    case "running" -> false;
                    default ->
                            throw PaiProblem.invalid(
                                    "\"vcStatus\" must be one of [stopped, running]");
                };
        call.onlyAdmin();
        String name = name(call);
        String verb = stops ? "stop" : "active";
        questions.changing().lockInterruptibly();
        try {
            Project project = VirtualClusters.all(controller).get(name);
            if (project == null)
                throw unknown("Vc %.64s not found, can't %s".formatted(name, verb));
            keep(project.withStopped(stops));
        } finally {
            questions.changing().unlock();
        }
        call.sendMessage(201, "%s vc %s successfully".formatted(verb, name));
    }
}
