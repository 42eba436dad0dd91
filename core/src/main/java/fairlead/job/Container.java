package fairlead.job;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * What a task finds around it: the image it runs in, folders and claims at paths of their own, and
 * ports that people reach from outside. Where there are no containers, the engine gives the folders
 * and ports as well as it can, or refuses.
 */
public record Container(
        Optional<String> image, List<Mount> mounts, List<Port> ports, Details details) {
    public static final Container NONE = new Container(Optional.empty(), List.of(), List.of());

    private static final int MOUNTS_MAX = 32;
    private static final int PORTS_MAX = 32;
    private static final int IMAGE_CHARACTERS_MAX = 255;
    private static final int PORT_MAX = 65_535;

    /** Everything else as usual. */
    public Container(Optional<String> image, List<Mount> mounts, List<Port> ports) {
        this(image, mounts, ports, Details.USUAL);
    }

    public Container {
        mounts = List.copyOf(mounts);
        ports = List.copyOf(ports);
        image.ifPresent(
                name ->
                        SpecException.unless(
                                !name.isBlank() && name.length() <= IMAGE_CHARACTERS_MAX,
                                "image",
                                "must be 1 to " + IMAGE_CHARACTERS_MAX + " characters"));
        SpecException.unless(
                mounts.size() <= MOUNTS_MAX,
                "mounts",
                "has " + mounts.size() + " entries; the limit is " + MOUNTS_MAX);
        var targets = new HashSet<String>();
        for (Mount mount : mounts) {
            SpecException.unless(
                    targets.add(mount.target()), "mounts", "use " + mount.target() + " twice");
        }
        SpecException.unless(
                ports.size() <= PORTS_MAX,
                "ports",
                "has " + ports.size() + " entries; the limit is " + PORTS_MAX);
        var outer = new HashSet<Integer>();
        var inner = new HashSet<Integer>();
        for (Port port : ports) {
            SpecException.unless(
                    outer.add(port.node()) && inner.add(port.container()),
                    "ports",
                    "use a port twice: " + port.node() + ":" + port.container());
        }
    }

    /** Where the files of a mount are. */
    public sealed interface Source {}

    /** A folder of the machine where the task runs. */
    public record Folder(String path) implements Source {
        public Folder {
            Texts.checkArgument(path, "mounts");
            SpecException.unless(
                    path.startsWith("/"),
                    "mounts",
                    "must name the folder by an absolute path, but is '" + path + "'");
        }
    }

    /** Storage of the cluster that is there already, by its name. */
    public record Claim(String name) implements Source {
        private static final Pattern FORM = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

        public Claim {
            SpecException.unless(
                    FORM.matcher(name).matches(),
                    "mounts",
                    "name a claim by lower case letters, digits, - and ., but one is '"
                            + name
                            + "'");
        }
    }

    /**
     * Storage that is made for the job, kept over its attempts and removed with it.
     *
     * @param storageClass empty: the cluster's own choice
     */
    public record NewClaim(Optional<String> storageClass, long bytes) implements Source {
        public NewClaim {
            storageClass.ifPresent(Claim::new);
            SpecException.unless(
                    bytes > 0, "mounts", "must ask for a size above 0, but it is " + bytes);
        }
    }

    /** Files at a path of the task's own. */
    public record Mount(Source source, String target, boolean readOnly) {
        public Mount {
            Texts.checkArgument(target, "mounts");
            SpecException.unless(
                    target.startsWith("/")
                            && target.length() > 1
                            && !target.contains("/../")
                            && !target.endsWith("/.."),
                    "mounts",
                    "must be at an absolute path, but is at '" + target + "'");
        }

        public Mount(String folder, String target, boolean readOnly) {
            this(new Folder(folder), target, readOnly);
        }
    }

    /** A port of the container, and the one of its machine that leads there. */
    public record Port(int node, int container) {
        public Port {
            SpecException.unless(
                    node >= 1 && node <= PORT_MAX && container >= 1 && container <= PORT_MAX,
                    "ports",
                    "must be 1 to " + PORT_MAX + ", but is " + node + ":" + container);
        }
    }

    /** When the image is fetched. */
    public enum PullPolicy {
        ALWAYS,
        IF_NOT_PRESENT,
        NEVER
    }

    /** What leads from outside to a job's ports. */
    public enum Service {
        /** Nothing: people forward a port. */
        NONE,
        /** A port of every machine. */
        NODE_PORT,
        /** An address of the cluster's load balancer. */
        LOAD_BALANCER
    }

    /**
     * Numbers of the account that a task runs as.
     *
     * @param group empty: the image's own
     */
    public record RunAs(long user, OptionalLong group) {
        private static final long ID_MAX = (1L << 31) - 1;

        public RunAs {
            SpecException.unless(
                    user >= 0
                            && user <= ID_MAX
                            && group.orElse(0) >= 0
                            && group.orElse(0) <= ID_MAX,
                    "container.runAs",
                    "must be numbers from 0 to " + ID_MAX);
        }
    }

    /**
     * What few jobs say.
     *
     * @param shmBytes the size of /dev/shm; zero for the usual one
     * @param ownEntryPoint the image's own program runs, and the command is its arguments
     * @param pullPolicy empty: the cluster's own choice
     * @param pullSecrets the cluster's names of the secrets that open registries
     * @param stdin somebody may attach and write to the task's standard input
     * @param tty that input and the output are a terminal
     * @param podName what the pod of the first task of the first attempt is called; empty: the
     *     engine's own choice
     * @param pod what else a pod of the job is to have, as Kubernetes says it in JSON; empty:
     *     nothing
     */
    public record Details(
            Optional<String> podName,
            long shmBytes,
            Optional<RunAs> runAs,
            boolean ownEntryPoint,
            Optional<PullPolicy> pullPolicy,
            List<String> pullSecrets,
            Service service,
            boolean stdin,
            boolean tty,
            boolean hostIpc,
            boolean hostNetwork,
            Optional<String> pod) {
        public static final Details USUAL = new Edit().details();

        private static final int PULL_SECRETS_MAX = 16;

        /** A long pod has a few thousand characters. */
        private static final int POD_CHARACTERS_MAX = 64 << 10;

        /** Further tasks and attempts add their numbers, and a host name has at most 63. */
        private static final int POD_NAME_MAX = 52;

        public Details {
            pullSecrets = List.copyOf(pullSecrets);
            podName.ifPresent(
                    name ->
                            SpecException.unless(
                                    name.length() <= POD_NAME_MAX
                                            && Claim.FORM.matcher(name).matches(),
                                    "container.podName",
                                    "must be lower case letters, digits, - and ., at most "
                                            + POD_NAME_MAX
                                            + ", but is '"
                                            + name
                                            + "'"));
            SpecException.unless(
                    shmBytes >= 0, "container.shm", "must not be negative, but is " + shmBytes);
            SpecException.unless(
                    pullSecrets.size() <= PULL_SECRETS_MAX,
                    "container.pullSecrets",
                    "has " + pullSecrets.size() + " entries; the limit is " + PULL_SECRETS_MAX);
            for (String secret : pullSecrets) {
                SpecException.unless(
                        Claim.FORM.matcher(secret).matches(),
                        "container.pullSecrets",
                        "are names of lower case letters, digits, - and ., but one is '"
                                + secret
                                + "'");
            }
            pod.ifPresent(
                    text ->
                            SpecException.unless(
                                    text.length() <= POD_CHARACTERS_MAX,
                                    "container.pod",
                                    "has "
                                            + text.length()
                                            + " characters; the limit is "
                                            + POD_CHARACTERS_MAX));
            SpecException.unless(
                    stdin || !tty, "container.tty", "needs stdin: a terminal is written to");
        }

        public static Details of(Consumer<Edit> change) {
            return USUAL.with(change);
        }

        public Details with(Consumer<Edit> change) {
            var edit = new Edit(this);
            change.accept(edit);
            return edit.details();
        }

        /** Details in the making, or about to change. */
        public static final class Edit {
            public Optional<String> podName = Optional.empty();
            public long shmBytes;
            public Optional<RunAs> runAs = Optional.empty();
            public boolean ownEntryPoint;
            public Optional<PullPolicy> pullPolicy = Optional.empty();
            public List<String> pullSecrets = List.of();
            public Service service = Service.NONE;
            public boolean stdin;
            public boolean tty;
            public boolean hostIpc;
            public boolean hostNetwork;
            public Optional<String> pod = Optional.empty();

            private Edit() {}

            private Edit(Details old) {
                podName = old.podName;
                shmBytes = old.shmBytes;
                runAs = old.runAs;
                ownEntryPoint = old.ownEntryPoint;
                pullPolicy = old.pullPolicy;
                pullSecrets = old.pullSecrets;
                service = old.service;
                stdin = old.stdin;
                tty = old.tty;
                hostIpc = old.hostIpc;
                hostNetwork = old.hostNetwork;
                pod = old.pod;
            }

            private Details details() {
                return new Details(
                        podName,
                        shmBytes,
                        runAs,
                        ownEntryPoint,
                        pullPolicy,
                        pullSecrets,
                        service,
                        stdin,
                        tty,
                        hostIpc,
                        hostNetwork,
                        pod);
            }
        }
    }
}
