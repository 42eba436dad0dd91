package fairlead.cli.verb;

import fairlead.cli.Arguments;
import fairlead.cli.Option;
import fairlead.cli.spec.Draft;

import java.util.ArrayList;
import java.util.List;

/** The options that say what a job finds around it: its image, folders and ports. */
final class ContainerOptions {
    private static final Option IMAGE =
            Option.valued("--image", null, "NAME", "the container image to run in");
    private static final Option MOUNT =
            Option.valued(
                    "--mount", null, "FOLDER:PATH[:ro]", "a folder at another path; repeatable");
    private static final Option PORT =
            Option.valued("--port", null, "NODE:CONTAINER", "a port that leads inside; repeatable");

    static final List<Option> ALL = List.of(IMAGE, MOUNT, PORT);

    private ContainerOptions() {}

    /** Mounts and ports of the command line stand instead of those of a file. */
    static void complete(Draft draft, Arguments arguments, Here here) {
        if (arguments.has(IMAGE)) {
            draft.overridden("image");
            draft.image = arguments.text(IMAGE).orElseThrow();
        }
        if (arguments.has(MOUNT)) {
            draft.overridden("mounts");
            draft.mounts = arguments.all(MOUNT);
        }
        if (arguments.has(PORT)) {
            draft.overridden("ports");
            draft.ports = arguments.all(PORT);
        }
        if (draft.mounts != null) draft.mounts = absolute(draft.mounts, here);
    }

    /** Only we know what a relative folder means. The server judges what is no mount at all. */
    private static List<String> absolute(List<String> mounts, Here here) {
        var absolute = new ArrayList<String>();
        for (String mount : mounts) {
            int colon = mount.indexOf(':');
            absolute.add(
                    colon <= 0
                            ? mount
                            : here.path(mount.substring(0, colon)) + mount.substring(colon));
        }
        return absolute;
    }
}
