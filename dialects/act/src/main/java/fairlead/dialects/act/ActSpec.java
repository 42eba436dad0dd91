package fairlead.dialects.act;

import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Store;
import fairlead.dialects.act.config.Target;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the spec of an ACT job: the config file says where, the request what. */
public final class ActSpec {
    private static final String UNRESERVED =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    /** Every node has it; the program there finds a folder of its own. */
    private static final String WORKDIR = "/tmp";

    /** As ACT: no limit that a training could meet. */
    private static final String SHARED_MEMORY = "1024G";

    private final ClusterConfig config;
    private final Instant now;
    private final Map<Store, String> variables = new LinkedHashMap<>();
    private final Map<String, String> secrets = new LinkedHashMap<>();

    private ActSpec(ClusterConfig config, Instant now) {
        this.config = config;
        this.now = now;
    }

    /**
     * The job that this request asks for. Only its secrets can open a store.
     *
     * @param config of Azure ML only with the cluster of the server that stands for its compute
     * @throws Misuse where the file does not allow it, names no cluster of a Fairlead server, or
     *     can no longer open its stores
     */
    public static SpecBody of(ClusterConfig config, ActRequest request, Instant now) throws Misuse {
        return new ActSpec(config, now).body(request);
    }

    private SpecBody body(ActRequest request) throws Misuse {
        if (config.target().isEmpty()) throw noEngine(config);
        Target target = config.target().get();
        Layout layout = Layout.of(config, request.gpus(), request.single());
        ActJob job = job(request, layout);
        boolean hasImage = config.image().isPresent();
        var spec = new SpecBody.Edit();
        spec.name = SpecBody.legalName(config.experiment());
        spec.cluster = target.cluster();
        spec.project = target.project().orElse(null);
        spec.roles = List.of(role(request.words(), layout));
        spec.env = config.env();
        spec.workdir = WORKDIR;
        spec.image = config.image().orElse(null);
        spec.mounts = hasImage ? mounts() : null;
        spec.container = hasImage ? container() : null;
        spec.retries = config.retries() == 0 ? null : config.retries();
        spec.origin = ActOrigin.write(job);
        spec.secrets = secrets.isEmpty() ? null : secrets;
        return spec.body();
    }

    /** What to do about a file that means Philly itself. */
    private static Misuse noEngine(ClusterConfig config) {
        return new Misuse(
                "'"
                        + config.name()
                        + "' ("
                        + config.file()
                        + ") is a cluster of Philly, which is gone. A line 'engine: NAME' in the"
                        + " file names a cluster of your Fairlead server instead; 'fairlead"
                        + " clusters' shows which there are");
    }

    private static RoleBody role(List<String> words, Layout layout) {
        var role = new RoleBody.Edit();
        role.name = "main";
        role.count = layout.nodes();
        role.command = words;
        role.gpus = layout.gpusPerNode();
        return role.body();
    }

    private ActJob job(ActRequest request, Layout layout) throws Misuse {
        var folders = new LinkedHashMap<String, Place>();
        Place code = place(config.code());
        for (var folder : config.folders().entrySet()) {
            folders.put(folder.getKey(), folder(folder.getValue()));
        }
        return new ActJob(
                config.name(),
                layout.gpus(),
                layout.nodes(),
                layout.processesPerNode(),
                layout.mpi(),
                code,
                folders,
                request.compileArgs().orElse(config.compileArgs()),
                config.sleepIfFail() || request.hold(),
                config.sleepIfSucceed(),
                config.origin() == ClusterConfig.Origin.PHILLY);
    }

    /**
     * A node may make it, but never the store that it is in: a disk may have to be mounted there.
     */
    private Place folder(Mapped mapped) throws Misuse {
        return switch (place(mapped)) {
            case Place.File(var path, var fuse, _) ->
                    new Place.File(path, fuse, ((Store.Folder) mapped.store()).path().toString());
            case Place.Blob blob -> blob;
        };
    }

    private Place place(Mapped mapped) throws Misuse {
        return switch (mapped.store()) {
            case Store.Folder(var folder) ->
                    new Place.File(folder.resolve(mapped.path()).toString(), mapped.fuse());
            case Store.Blob blob ->
                    new Place.Blob(
                            blob.url()
                                    + (mapped.path().isEmpty() ? "" : "/")
                                    + encoded(mapped.path()),
                            variable(blob),
                            fuse(mapped, blob));
        };
    }

    /** What a signature does not let the job store is to read only, and fails nothing. */
    private static String fuse(Mapped mapped, Store.Blob blob) {
        if (mapped.isReadOnly() || Sas.lacking(blob, "w").isEmpty()) return mapped.fuse();
        return mapped.fuse().isEmpty() ? "ro" : "ro," + mapped.fuse();
    }

    /** One for each container. */
    private String variable(Store.Blob blob) throws Misuse {
        String known = variables.get(blob);
        if (known != null) return known;
        String name = ActJob.SAS_VARIABLE + variables.size();
        variables.put(blob, name);
        secrets.put(name, Sas.of(blob, now));
        return name;
    }

    /** Inside an image a folder of the node is seen only where it is mounted. */
    private List<String> mounts() {
        Map<Path, Boolean> readOnly = new LinkedHashMap<>();
        var all = new ArrayList<Mapped>();
        all.add(config.code());
        all.addAll(config.folders().values());
        for (Mapped mapped : all) {
            if (mapped.store() instanceof Store.Folder(var path)) {
                readOnly.merge(path, mapped.isReadOnly(), Boolean::logicalAnd);
            }
        }
        if (readOnly.isEmpty()) return null;
        var mounts = new ArrayList<String>();
        readOnly.forEach((path, isOnly) -> mounts.add(path + ":" + path + (isOnly ? ":ro" : "")));
        return List.copyOf(mounts);
    }

    private static ContainerBody container() {
        var container = new ContainerBody.Edit();
        container.shm = SHARED_MEMORY;
        return container.body();
    }

    /** A path as part of a URL. */
    static String encoded(String path) {
        var text = new StringBuilder();
        for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            if (c == '/' || UNRESERVED.indexOf(c) >= 0) text.append(c);
            else text.append("%%%02X".formatted((int) c));
        }
        return text.toString();
    }
}
