package fairlead.server.snapshot;

import static fairlead.wire.parts.Form.BOOLEAN;
import static fairlead.wire.parts.Form.DURATION;
import static fairlead.wire.parts.Form.INSTANT;
import static fairlead.wire.parts.Form.INT;
import static fairlead.wire.parts.Form.LONG;
import static fairlead.wire.parts.Form.TEXT;

import fairlead.cluster.Gpu;
import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.job.Project;
import fairlead.wire.parts.Form;
import fairlead.wire.parts.Part;
import fairlead.wire.parts.Part.Fields;
import fairlead.wire.parts.Part.Found;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What a cluster has and whose it is, as far as a policy sees it. */
final class ClusterParts {
    private ClusterParts() {}

    static final Part<Project> PROJECT = Part.of(ClusterParts::project);

    private static Function<Found, Project> project(Fields<Project> fields) {
        var name = fields.field("name", TEXT, Project::name);
        var quota = fields.optional("quota", INT, project -> Form.boxed(project.quota()));
        var max =
                fields.optional(
                        "interactiveMax", INT, project -> Form.boxed(project.interactiveMax()));
        var limit =
                fields.field(
                        "interactiveLimit",
                        DURATION,
                        Project::interactiveLimit,
                        Project.INTERACTIVE_LIMIT);
        return found ->
                new Project(
                        name.in(found),
                        Form.unboxed(quota.in(found)),
                        Set.of(),
                        Form.unboxed(max.in(found)),
                        limit.in(found));
    }

    private static final Part<Gpu> GPU = Part.of(ClusterParts::gpu);

    private static Function<Found, Gpu> gpu(Fields<Gpu> fields) {
        var index = fields.field("index", INT, Gpu::index, 0);
        var type = fields.field("type", TEXT, Gpu::type);
        var memory = fields.field("memoryBytes", LONG, Gpu::memoryBytes, 0L);
        return found -> new Gpu(index.in(found), type.in(found), memory.in(found));
    }

    static final Part<Node> NODE = Part.of(ClusterParts::node);

    private static Function<Found, Node> node(Fields<Node> fields) {
        var name = fields.field("name", TEXT, Node::name);
        var ready = fields.field("ready", BOOLEAN, Node::ready, false);
        var cpus = fields.field("cpus", INT, Node::cpus, 0);
        var memory = fields.field("memoryBytes", LONG, Node::memoryBytes, 0L);
        var gpus = fields.field("gpus", GPU.list(), Node::gpus, List.of());
        var labels = fields.field("labels", TEXT.list(), Node::labels, List.of());
        return found ->
                new Node(
                        name.in(found),
                        gpus.in(found),
                        cpus.in(found),
                        memory.in(found),
                        ready.in(found),
                        labels.in(found));
    }

    /** Without its name, which is nobody's business. */
    static final Part<Guest> GUEST = Part.of(ClusterParts::guest);

    private static Function<Found, Guest> guest(Fields<Guest> fields) {
        var owner = fields.field("owner", TEXT, Guest::owner);
        var gpus = fields.field("gpus", INT, Guest::gpus, 0);
        var node = fields.field("node", TEXT, guest -> guest.node().orElseThrow());
        var created = fields.field("created", INSTANT, Guest::created);
        return found ->
                new Guest(
                        "guest",
                        "",
                        owner.in(found),
                        0,
                        gpus.in(found),
                        Optional.of(node.in(found)),
                        "Running",
                        created.in(found),
                        Optional.of(created.in(found)));
    }
}
