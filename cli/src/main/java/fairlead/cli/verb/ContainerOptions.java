package fairlead.cli.verb;

import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.SpecBody;
import fairlead.cli.job.Here;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.spec.Draft;

import java.util.ArrayList;
import java.util.List;

/** The options that say what a job finds around it: its image, folders, claims and ports. */
final class ContainerOptions {
    static final Option ENTRYPOINT =
            Option.flag("--entrypoint", null, "the image's program; the command is its arguments");
    private static final Option IMAGE =
            Option.valued("--image", null, "NAME", "the container image to run in");
    private static final Option MOUNT =
            Option.valued(
                    "--mount",
                    null,
                    "FOLDER:PATH[:ro]",
                    "a folder at another path, or claim:NAME:PATH; repeatable");
    private static final Option PORT =
            Option.valued(
                    "--port",
                    null,
                    "NODE:CONTAINER",
                    "a port of the node that leads inside; repeatable");
    private static final Option SHM =
            Option.valued("--shm", null, "SIZE", "the size of /dev/shm: 8G");
    private static final Option RUN_AS =
            Option.valued("--run-as", null, "UID[:GID]", "the user and group numbers inside");
    private static final Option PULL_POLICY =
            Option.valued("--pull-policy", null, "P", "always, if-not-present or never");
    private static final Option PULL_SECRET =
            Option.valued(
                    "--pull-secret", null, "NAME", "a secret that opens a registry; repeatable");
    private static final Option SERVICE =
            Option.valued("--service", null, "TYPE", "reach the ports by nodeport or loadbalancer");
    private static final Option STDIN =
            Option.flag("--stdin", null, "let people attach and write to it");
    private static final Option TTY = Option.flag("--tty", null, "make that input a terminal");
    private static final Option HOST_IPC =
            Option.flag("--host-ipc", null, "share memory with the machine");
    private static final Option HOST_NETWORK =
            Option.flag("--host-network", null, "use the machine's network");
    private static final Option POD_NAME =
            Option.valued("--pod-name", null, "NAME", "the pod's name, unique in its project");

    static final List<Option> ALL =
            List.of(
                    IMAGE,
                    MOUNT,
                    PORT,
                    ENTRYPOINT,
                    SHM,
                    RUN_AS,
                    PULL_POLICY,
                    PULL_SECRET,
                    SERVICE,
                    STDIN,
                    TTY,
                    HOST_IPC,
                    HOST_NETWORK,
                    POD_NAME);

    private static final ContainerBody NOTHING = new ContainerBody.Edit().body();

    private final Draft draft;
    private final Arguments arguments;

    private ContainerOptions(Draft draft, Arguments arguments) {
        this.draft = draft;
        this.arguments = arguments;
    }

    /** Lists of the command line stand instead of those of a file. */
    static void complete(Draft draft, Arguments arguments, Here here) {
        var options = new ContainerOptions(draft, arguments);
        SpecBody.Edit spec = draft.spec;
        spec.image = options.text(IMAGE, "image", spec.image);
        spec.mounts = options.all(MOUNT, "mounts", spec.mounts);
        spec.ports = options.all(PORT, "ports", spec.ports);
        var container = new ContainerBody.Edit(spec.container == null ? NOTHING : spec.container);
        options.details(container);
        spec.container = NOTHING.equals(container.body()) ? null : container.body();
        if (spec.mounts != null) spec.mounts = absolute(spec.mounts, here);
    }

    /** Whether the image's own program runs. */
    static boolean isEntryPoint(Draft draft, Arguments arguments) {
        ContainerBody said = draft.spec.container;
        return arguments.has(ENTRYPOINT) || said != null && Boolean.TRUE.equals(said.entrypoint());
    }

    private void details(ContainerBody.Edit container) {
        container.podName = text(POD_NAME, "container.podName", container.podName);
        container.shm = text(SHM, "container.shm", container.shm);
        container.runAs = text(RUN_AS, "container.runAs", container.runAs);
        container.entrypoint = flag(ENTRYPOINT, "container.entrypoint", container.entrypoint);
        container.pullPolicy = text(PULL_POLICY, "container.pullPolicy", container.pullPolicy);
        container.pullSecrets = all(PULL_SECRET, "container.pullSecrets", container.pullSecrets);
        container.service = text(SERVICE, "container.service", container.service);
        container.stdin = flag(STDIN, "container.stdin", container.stdin);
        container.tty = flag(TTY, "container.tty", container.tty);
        container.hostIpc = flag(HOST_IPC, "container.hostIpc", container.hostIpc);
        container.hostNetwork = flag(HOST_NETWORK, "container.hostNetwork", container.hostNetwork);
    }

    private String text(Option option, String field, String ofFile) {
        if (!arguments.has(option)) return ofFile;
        draft.overridden(field);
        return arguments.text(option).orElseThrow();
    }

    private List<String> all(Option option, String field, List<String> ofFile) {
        if (!arguments.has(option)) return ofFile;
        draft.overridden(field);
        return arguments.all(option);
    }

    private Boolean flag(Option option, String field, Boolean ofFile) {
        if (!arguments.has(option)) return ofFile;
        draft.overridden(field);
        return true;
    }

    /** Only we know what a relative folder means. The server judges what is no mount at all. */
    private static List<String> absolute(List<String> mounts, Here here) {
        var absolute = new ArrayList<String>();
        for (String mount : mounts) {
            int colon = mount.indexOf(':');
            boolean isFolder = colon > 0 && !mount.matches("(new-)?claim:.*:.*");
            absolute.add(
                    isFolder
                            ? here.path(mount.substring(0, colon)) + mount.substring(colon)
                            : mount);
        }
        return absolute;
    }
}
