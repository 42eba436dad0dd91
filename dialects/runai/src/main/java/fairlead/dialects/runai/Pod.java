package fairlead.dialects.runai;

import fairlead.api.spec.ContainerBody;

import java.util.ArrayList;
import java.util.List;

/** What the flags of a submit say about the job's pod: its ports, and what it shares. */
final class Pod {
    private static final int NOTEBOOK_PORT = 8_888;

    /** The ports of machines that Kubernetes gives to services; for others it chooses one. */
    private static final int NODE_PORT_MIN = 30_000;

    private static final int NODE_PORT_MAX = 32_767;

    /**
     * What Run:ai's users expect of a large one, where they do not say how much memory there is.
     */
    private static final String SHM_DEFAULT = "8G";

    private final Said said;
    private final Surroundings here;
    private final List<String> warnings;

    /**
     * @param warnings gets a line for each thing that is not as Run:ai has it
     */
    Pod(Said said, Surroundings here, List<String> warnings) {
        this.said = said;
        this.here = here;
        this.warnings = warnings;
    }

    /** {@code NODE:CONTAINER} each; null where there are none. */
    List<String> ports() throws Misuse {
        var ports = new ArrayList<String>();
        for (String text : said.all(Flags.PORT)) {
            if (!text.matches("\\d{1,5}(:\\d{1,5})?")) {
                throw new Misuse(
                        "--port must be NODE:CONTAINER such as 8888:8888, but is '" + text + "'");
            }
            ports.add(text.contains(":") ? text : text + ":" + text);
        }
        boolean isNotebook = said.has(Flags.JUPYTER);
        if (isNotebook && ports.isEmpty()) ports.add(NOTEBOOK_PORT + ":" + NOTEBOOK_PORT);
        return ports.isEmpty() ? null : ports;
    }

    /** The command of a notebook, where none is said. */
    ArrayList<String> notebook() {
        String address = here.oneMachine() ? "--ip=127.0.0.1" : "--ip=0.0.0.0";
        var command =
                new ArrayList<>(
                        List.of(
                                "jupyter",
                                "lab",
                                address,
                                "--port=" + NOTEBOOK_PORT,
                                "--no-browser"));
        // Many images have no account but root, which a notebook refuses otherwise.
        if (here.images()) command.add("--allow-root");
        return command;
    }

    /**
     * @param memory what the job asks for, in bytes, or null
     * @param isEntryPoint whether the image's own program runs
     */
    ContainerBody container(String memory, boolean isEntryPoint, boolean hasPorts) throws Misuse {
        String service = service(hasPorts);
        if (!here.images()) {
            var container = new ContainerBody.Edit();
            container.service = service;
            container.stdin = flag(Flags.STDIN);
            return container.body();
        }
        var container = new ContainerBody.Edit();
        container.shm = said.has(Flags.LARGE_SHM) ? shm(memory) : null;
        container.runAs = said.has(Flags.RUN_AS_USER) ? account() : null;
        container.entrypoint = isEntryPoint ? true : null;
        container.pullPolicy = pullPolicy();
        container.service = service;
        container.stdin = flag(Flags.STDIN);
        container.tty = flag(Flags.TTY);
        container.hostIpc = flag(Flags.HOST_IPC);
        container.hostNetwork = flag(Flags.HOST_NETWORK);
        return container.body();
    }

    private Boolean flag(Flag flag) {
        return said.has(flag) ? true : null;
    }

    private static String shm(String memory) {
        return memory == null ? SHM_DEFAULT : String.valueOf(Long.parseLong(memory) / 2);
    }

    private String account() throws Misuse {
        if (here.account() != null) return here.account();
        throw new Misuse(
                "--run-as-user is not possible: the numbers of this account are unknown; 'fairlead"
                        + " submit --run-as UID:GID' takes them");
    }

    private String pullPolicy() throws Misuse {
        String policy = said.text(Flags.PULL_POLICY);
        if (policy == null) return "always";
        return switch (policy) {
            case "Always" -> "always";
            case "IfNotPresent" -> "if-not-present";
            case "Never" -> "never";
            default ->
                    throw new Misuse(
                            "--image-pull-policy must be Always, IfNotPresent or Never, but is '"
                                    + policy
                                    + "'");
        };
    }

    /** What leads to the ports; null for nothing. */
    private String service(boolean hasPorts) throws Misuse {
        String type = said.text(Flags.SERVICE_TYPE);
        if (type != null && !hasPorts) {
            throw new Misuse("--service-type needs --port NODE:CONTAINER");
        }
        String known = type == null ? "" : type;
        return switch (known) {
            // On one machine a port is its own, in containers too.
            case "" -> here.oneMachine() && hasPorts ? "nodeport" : null;
            case "nodeport" -> ofNodes();
            case "portforward" -> forwarded();
            case "loadbalancer" -> balanced();
            case "ingress" ->
                    throw new Misuse(
                            "--service-type ingress is not possible here: no names lead to jobs;"
                                    + " say nodeport, or portforward");
            default ->
                    throw new Misuse(
                            "--service-type must be portforward, loadbalancer, nodeport or ingress,"
                                    + " but is '"
                                    + type
                                    + "'");
        };
    }

    static boolean isOfNodes(int port) {
        return port >= NODE_PORT_MIN && port <= NODE_PORT_MAX;
    }

    private String ofNodes() throws Misuse {
        for (String port : here.oneMachine() ? List.<String>of() : ports()) {
            if (isOfNodes(Integer.parseInt(port.split(":")[0]))) continue;
            warnings.add(
                    "--port "
                            + port
                            + ": the cluster chooses the machines' port, as theirs are "
                            + NODE_PORT_MIN
                            + " to "
                            + NODE_PORT_MAX);
        }
        return "nodeport";
    }

    private String forwarded() {
        if (!here.oneMachine()) return null;
        warnings.add(
                "--service-type portforward: the port is the machine's own, nothing has to be"
                        + " forwarded");
        return "nodeport";
    }

    private String balanced() throws Misuse {
        if (!here.oneMachine()) return "loadbalancer";
        throw new Misuse(
                "--service-type loadbalancer is not possible here: nothing stands before the"
                        + " machine; say nodeport");
    }
}
