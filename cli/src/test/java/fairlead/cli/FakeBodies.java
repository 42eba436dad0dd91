package fairlead.cli;

import fairlead.api.HereBody;
import fairlead.api.QueueBody;
import fairlead.api.QueueList;
import fairlead.api.StatsBody;
import fairlead.api.clusters.ClusterBody;
import fairlead.api.clusters.GpuBody;
import fairlead.api.clusters.NodeBody;
import fairlead.api.clusters.NodeList;
import fairlead.api.clusters.ServerBody;
import fairlead.api.people.PersonBody;
import fairlead.api.people.PersonList;
import fairlead.api.people.ProjectBody;
import fairlead.api.people.ProjectList;
import fairlead.api.spec.OriginBody;
import fairlead.api.spec.SpecBody;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.Place;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a {@link FakeServer} says about itself, its nodes and its people. */
final class FakeBodies {
    /** What stands for a compute of Azure ML. */
    static final ClusterBody LAB = new ClusterBody("lab", "azureml", true, null, true, null);

    static final PersonBody ANN = new PersonBody("ann", true, "default", null, null);
    static final PersonBody BOB = new PersonBody("bob", false, "vision", null, null);
    static final ProjectBody VISION =
            new ProjectBody("vision", 4, List.of("ann", "bob"), 1, "8h", 2.5, 0, null, null);

    private FakeBodies() {}

    static PersonList people() {
        return new PersonList(List.of(ANN, BOB));
    }

    static ProjectList projects() {
        return new ProjectList(
                List.of(
                        new ProjectBody("default", null, List.of(), null, "12h", 0, 3, null, null),
                        VISION));
    }

    static NodeList nodes() {
        return new NodeList(
                List.of(
                        new NodeBody(
                                "local",
                                "box",
                                true,
                                4,
                                2,
                                List.of("H200", "H200", "H200", "H200"),
                                16,
                                12,
                                64L << 30,
                                48L << 30,
                                List.of(
                                        new GpuBody(0, "H200", 139L << 30, 1_000, null),
                                        new GpuBody(1, "H200", 139L << 30, 1_000, null),
                                        new GpuBody(2, "H200", 139L << 30, 250, null),
                                        new GpuBody(3, "H200", 139L << 30, 0, null)))),
                List.of("limits of CPU and memory are not enforced"));
    }

    static QueueList queue() {
        String created = "2025-11-15T04:30:00Z";
        return new QueueList(
                "local",
                List.of(
                        new QueueBody(
                                "shell",
                                true,
                                "eve",
                                "Running",
                                created,
                                created,
                                0,
                                0,
                                0,
                                null,
                                0,
                                List.of("box"),
                                null),
                        new QueueBody(
                                "train_1763180000_0000000a",
                                false,
                                "ann",
                                "running",
                                created,
                                created,
                                1.5,
                                0,
                                1,
                                null,
                                1.5,
                                List.of("box", "bix"),
                                null),
                        new QueueBody(
                                "train_1763180000_0000000b",
                                false,
                                "ann",
                                "queued",
                                created,
                                null,
                                2,
                                -3,
                                2,
                                true,
                                3.5,
                                List.of(),
                                null)),
                7,
                List.of("the cluster local cannot be reached: no route to host"),
                null);
    }

    static StatsBody stats() {
        return new StatsBody(
                Map.of("running", 2L, "queued", 7L), 4, 2, Map.of("ann", 1.75), 9, 1, List.of());
    }

    static ServerBody server(boolean runsImages, boolean localRunsImages) {
        var local = new ClusterBody("local", "local", true, null, localRunsImages, null);
        var lab =
                new ClusterBody(
                        "lab",
                        "kubernetes",
                        false,
                        "connection refused",
                        true,
                        "fairlead-{project}");
        return new ServerBody(
                "0.1.0",
                4711,
                "http://127.0.0.1:7300",
                "/home/ann/.fairlead",
                "2025-11-15T04:00:00Z",
                "fair",
                5L << 20,
                "good, checked 2025-11-15T04:00:01Z",
                "/home/ann/.fairlead/copies/journal-20251115-040001.db",
                null,
                null,
                runsImages ? List.of(lab, local) : List.of(local, lab));
    }

    /** The spec with what the server takes from where the caller is. */
    static SpecBody completed(SpecBody spec, HereBody here, boolean runsImages) {
        boolean inImage = runsImages && spec.image() != null;
        var env = new LinkedHashMap<>(runsImages ? Map.of() : here.env());
        if (spec.env() != null) env.putAll(spec.env());
        String folder = inImage ? "" : here.folder();
        var filled = new SpecBody.Edit(spec);
        filled.env = env;
        if (filled.workdir == null) filled.workdir = folder;
        return filled.body();
    }

    /** The job of {@link FakeJob}, as one that was made from another system's file. */
    static SpecBody from(OriginBody origin) {
        var spec = new SpecBody.Edit(new FakeJob("x_1_00000000", "queued").spec);
        spec.origin = origin;
        return spec.body();
    }

    /** A job of ACT with all its ranks started by MPI. */
    static SpecBody act(String config, int gpus, int nodes, int processesPerNode) {
        var job =
                new ActJob(
                        config,
                        gpus,
                        nodes,
                        processesPerNode,
                        true,
                        new Place.File("/code.zip"),
                        Map.of(),
                        "",
                        false,
                        false);
        return from(ActOrigin.write(job));
    }
}
