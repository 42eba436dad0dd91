package fairlead.job;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * What a task finds around it: the image it runs in, folders of its machine at paths of their own,
 * and ports that people reach from outside. Where there are no containers, the engine gives the
 * folders and ports as well as it can, or refuses.
 */
public record Container(Optional<String> image, List<Mount> mounts, List<Port> ports) {
    public static final Container NONE = new Container(Optional.empty(), List.of(), List.of());

    private static final int MOUNTS_MAX = 32;
    private static final int PORTS_MAX = 32;
    private static final int IMAGE_CHARACTERS_MAX = 255;
    private static final int PORT_MAX = 65_535;

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

    /** A folder of the machine at another path. */
    public record Mount(String source, String target, boolean readOnly) {
        public Mount {
            Texts.checkArgument(source, "mounts");
            Texts.checkArgument(target, "mounts");
            SpecException.unless(
                    source.startsWith("/"),
                    "mounts",
                    "must name the folder by an absolute path, but is '" + source + "'");
            SpecException.unless(
                    target.startsWith("/")
                            && target.length() > 1
                            && !target.contains("/../")
                            && !target.endsWith("/.."),
                    "mounts",
                    "must be at an absolute path, but is at '" + target + "'");
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
}
