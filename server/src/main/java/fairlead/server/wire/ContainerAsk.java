package fairlead.server.wire;

import fairlead.api.SpecBody;
import fairlead.job.Container;
import fairlead.job.SpecException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a task finds around it, between its two forms. */
final class ContainerAsk {
    private ContainerAsk() {}

    static Container read(SpecBody body) {
        var mounts = new ArrayList<Container.Mount>();
        for (String text : list(body.mounts(), "mounts")) mounts.add(mount(text));
        var ports = new ArrayList<Container.Port>();
        for (String text : list(body.ports(), "ports")) ports.add(port(text));
        return new Container(Optional.ofNullable(body.image()), mounts, ports);
    }

    private static List<String> list(List<String> given, String field) {
        if (given == null) return List.of();
        for (String text : given) SpecException.unless(text != null, field, "contain a null");
        return given;
    }

    private static Container.Mount mount(String text) {
        String[] parts = text.split(":", -1);
        boolean readOnly = parts.length == 3 && parts[2].equals("ro");
        SpecException.unless(
                parts.length == 2 || readOnly,
                "mounts",
                "must be folder:path or folder:path:ro, but one is '" + text + "'");
        return new Container.Mount(parts[0], parts[1], readOnly);
    }

    private static Container.Port port(String text) {
        SpecException.unless(
                text.matches("[0-9]{1,5}:[0-9]{1,5}"),
                "ports",
                "must be two numbers such as 8888:80, but one is '" + text + "'");
        String[] parts = text.split(":");
        return new Container.Port(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    static List<String> mounts(Container container) {
        if (container.mounts().isEmpty()) return null;
        return container.mounts().stream()
                .map(each -> source(each) + ":" + each.target() + (each.readOnly() ? ":ro" : ""))
                .toList();
    }

    private static String source(Container.Mount mount) {
        return switch (mount.source()) {
            case Container.Folder(String path) -> path;
            case Container.Claim(String name) -> "claim:" + name;
            case Container.NewClaim(Optional<String> storageClass, long bytes) ->
                    "new-claim:" + storageClass.orElse("") + ":" + Units.text(bytes);
        };
    }

    static List<String> ports(Container container) {
        if (container.ports().isEmpty()) return null;
        return container.ports().stream()
                .map(each -> each.node() + ":" + each.container())
                .toList();
    }
}
