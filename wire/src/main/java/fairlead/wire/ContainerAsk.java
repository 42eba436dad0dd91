package fairlead.wire;

import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.PodAdapter;
import fairlead.api.spec.SpecBody;
import fairlead.job.Container;
import fairlead.job.Container.PullPolicy;
import fairlead.job.Container.Service;
import fairlead.job.SpecException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What a task finds around it, between its two forms. */
final class ContainerAsk {
    private static final String CLAIM = "claim";
    private static final String NEW_CLAIM = "new-claim";
    private static final Container.Details USUAL = Container.Details.USUAL;

    private ContainerAsk() {}

    static Container read(SpecBody body) {
        var mounts = new ArrayList<Container.Mount>();
        for (String text : list(body.mounts(), "mounts")) mounts.add(mount(text));
        var ports = new ArrayList<Container.Port>();
        for (String text : list(body.ports(), "ports")) ports.add(port(text));
        return new Container(
                Optional.ofNullable(body.image()), mounts, ports, details(body.container()));
    }

    private static List<String> list(List<String> given, String field) {
        if (given == null) return List.of();
        for (String text : given) SpecException.unless(text != null, field, "contain a null");
        return given;
    }

    private static Container.Mount mount(String text) {
        boolean readOnly = text.endsWith(":ro");
        String plain = readOnly ? text.substring(0, text.length() - 3) : text;
        String[] parts = plain.split(":", -1);
        if (parts.length == 3 && parts[0].equals(CLAIM)) {
            return new Container.Mount(new Container.Claim(parts[1]), parts[2], readOnly);
        }
        if (parts.length == 4 && parts[0].equals(NEW_CLAIM)) {
            var claim =
                    new Container.NewClaim(
                            Optional.of(parts[1]).filter(name -> !name.isEmpty()),
                            Units.bytes(parts[2], "mounts"));
            return new Container.Mount(claim, parts[3], readOnly);
        }
        SpecException.unless(
                parts.length == 2 && !parts[0].equals(CLAIM),
                "mounts",
                "must be folder:path, claim:NAME:path or new-claim:[CLASS]:SIZE:path, with :ro to"
                        + " read only, but one is '"
                        + text
                        + "'");
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
            case Container.Claim(String name) -> CLAIM + ":" + name;
            case Container.NewClaim(Optional<String> storageClass, long bytes) ->
                    NEW_CLAIM + ":" + storageClass.orElse("") + ":" + Units.text(bytes);
        };
    }

    static List<String> ports(Container container) {
        if (container.ports().isEmpty()) return null;
        return container.ports().stream()
                .map(each -> each.node() + ":" + each.container())
                .toList();
    }

    private static Container.Details details(ContainerBody body) {
        if (body == null) return USUAL;
        return Container.Details.of(
                edit -> {
                    edit.podName = Optional.ofNullable(body.podName());
                    edit.shmBytes =
                            body.shm() == null ? 0 : Units.bytes(body.shm(), "container.shm");
                    edit.runAs = Optional.ofNullable(body.runAs()).map(ContainerAsk::runAs);
                    edit.ownEntryPoint = is(body.entrypoint());
                    edit.pullPolicy =
                            Optional.ofNullable(body.pullPolicy())
                                    .map(
                                            word ->
                                                    choice(
                                                            word,
                                                            PullPolicy.values(),
                                                            "container.pullPolicy"));
                    edit.pullSecrets = list(body.pullSecrets(), "container.pullSecrets");
                    edit.service = body.service() == null ? Service.NONE : service(body.service());
                    edit.stdin = is(body.stdin());
                    edit.tty = is(body.tty());
                    edit.hostIpc = is(body.hostIpc());
                    edit.hostNetwork = is(body.hostNetwork());
                    edit.pod = Optional.ofNullable(body.pod()).map(Json::write);
                });
    }

    /** What the pod says of nodes: the scheduler must know it before the cluster does. */
    static List<String> nodeLabels(ContainerBody body) {
        boolean hasPod = body != null && body.pod() != null;
        if (!hasPod || !(body.pod().get("spec") instanceof Map<?, ?> spec)) return List.of();
        if (!(spec.get("nodeSelector") instanceof Map<?, ?> selector)) return List.of();
        return selector.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .sorted()
                .toList();
    }

    private static boolean is(Boolean said) {
        return said != null && said;
    }

    private static Container.RunAs runAs(String text) {
        SpecException.unless(
                text.matches("[0-9]{1,10}(:[0-9]{1,10})?"),
                "container.runAs",
                "must be the number of an account such as 1000, or with its group 1000:100, but is"
                        + " '"
                        + text
                        + "'");
        String[] parts = text.split(":");
        return new Container.RunAs(
                Long.parseLong(parts[0]),
                parts.length == 1
                        ? OptionalLong.empty()
                        : OptionalLong.of(Long.parseLong(parts[1])));
    }

    private static Service service(String text) {
        return choice(text, Service.values(), "container.service");
    }

    private static <T extends Enum<T>> T choice(String text, T[] choices, String field) {
        for (T choice : choices) if (word(choice).equals(text)) return choice;
        var words = Arrays.stream(choices).map(ContainerAsk::word).toList();
        throw new SpecException(
                field, "must be one of " + String.join(", ", words) + ", but is '" + text + "'");
    }

    /** Those of services are one word, as Run:ai has them. */
    private static String word(Enum<?> choice) {
        String word = choice.name().toLowerCase(Locale.ROOT);
        return choice instanceof Service ? word.replace("_", "") : word.replace('_', '-');
    }

    /** Null where everything is as usual. */
    static ContainerBody write(Container.Details details) {
        if (details.equals(USUAL)) return null;
        var container = new ContainerBody.Edit();
        container.podName = details.podName().orElse(null);
        container.shm = details.shmBytes() == 0 ? null : Units.text(details.shmBytes());
        container.runAs = details.runAs().map(ContainerAsk::text).orElse(null);
        container.entrypoint = said(details.ownEntryPoint());
        container.pullPolicy = details.pullPolicy().map(ContainerAsk::word).orElse(null);
        container.pullSecrets = details.pullSecrets().isEmpty() ? null : details.pullSecrets();
        container.service = details.service() == Service.NONE ? null : word(details.service());
        container.stdin = said(details.stdin());
        container.tty = said(details.tty());
        container.hostIpc = said(details.hostIpc());
        container.hostNetwork = said(details.hostNetwork());
        container.pod = details.pod().map(PodAdapter::read).orElse(null);
        return container.body();
    }

    private static Boolean said(boolean isSo) {
        return isSo ? true : null;
    }

    private static String text(Container.RunAs account) {
        String user = Long.toString(account.user());
        return account.group().isEmpty() ? user : user + ":" + account.group().getAsLong();
    }
}
