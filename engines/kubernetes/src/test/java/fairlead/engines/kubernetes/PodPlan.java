package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectFieldSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.KubernetesClient;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a kubelet makes a container from what its pod says. */
final class PodPlan {
    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$|\\(([A-Za-z_][\\w.-]*)\\))");
    private static final String ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final String PATH =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** Why a container cannot be made now; it is tried again, as what is missing may come. */
    static final class Obstacle extends Exception {
        private static final long serialVersionUID = 1L;
        private final String reason;

        Obstacle(String reason, String message) {
            super(message);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    private final KubernetesClient client;
    private final Pod pod;
    private final Container container;
    private final Path folder;
    private final Path claims;
    private final String namespace;

    /**
     * Of one container of the pod.
     *
     * @param folder of the pod, on this machine
     * @param claims where the folders of persistent volume claims are
     */
    PodPlan(KubernetesClient client, Pod pod, Container container, Path folder, Path claims) {
        this.client = client;
        this.pod = pod;
        this.container = container;
        this.folder = folder;
        this.claims = claims;
        this.namespace = pod.getMetadata().getNamespace();
    }

    PodProcess.Plan plan(List<String> devices) throws Obstacle, IOException {
        Map<String, String> environment = environment(devices);
        var command = new ArrayList<String>();
        container.getCommand().forEach(word -> command.add(expanded(word, environment)));
        container.getArgs().forEach(word -> command.add(expanded(word, environment)));
        if (command.isEmpty()) command.add("sh");
        var binds = binds();
        String wanted = container.getWorkingDir();
        String working =
                wanted == null || wanted.isEmpty()
                        ? Files.createDirectories(folder.resolve("work")).toString()
                        : wanted;
        Path own =
                Files.createDirectories(folder.resolve("containers").resolve(container.getName()));
        return new PodProcess.Plan(
                pod.getMetadata().getUid() + "/" + container.getName() + "/",
                List.copyOf(command),
                environment,
                working,
                binds,
                own,
                Boolean.TRUE.equals(container.getStdin()),
                Boolean.TRUE.equals(container.getTty()));
    }

    private Map<String, String> environment(List<String> devices) throws Obstacle {
        var all = new LinkedHashMap<String, String>();
        all.put("PATH", PATH);
        all.put("HOME", "/root");
        all.put("HOSTNAME", pod.getMetadata().getName());
        if (!devices.isEmpty()) all.put("NVIDIA_VISIBLE_DEVICES", String.join(",", devices));
        for (var from : container.getEnvFrom()) {
            String prefix = from.getPrefix() == null ? "" : from.getPrefix();
            if (from.getSecretRef() != null) {
                secret(from.getSecretRef().getName(), from.getSecretRef().getOptional())
                        .forEach((key, value) -> all.put(prefix + key, value));
            }
            if (from.getConfigMapRef() != null) {
                configMap(from.getConfigMapRef().getName(), from.getConfigMapRef().getOptional())
                        .forEach((key, value) -> all.put(prefix + key, value));
            }
        }
        for (EnvVar each : container.getEnv()) {
            var value = value(each);
            if (value.isPresent()) all.put(each.getName(), expanded(value.get(), all));
        }
        return all;
    }

    private Optional<String> value(EnvVar variable) throws Obstacle {
        var from = variable.getValueFrom();
        if (from == null)
            return Optional.of(variable.getValue() == null ? "" : variable.getValue());
        if (from.getFieldRef() != null) return Optional.of(field(from.getFieldRef()));
        if (from.getSecretKeyRef() != null) {
            var reference = from.getSecretKeyRef();
            String value =
                    secret(reference.getName(), reference.getOptional()).get(reference.getKey());
            if (value == null && !Boolean.TRUE.equals(reference.getOptional())) {
                throw new Obstacle(
                        "CreateContainerConfigError",
                        "couldn't find key "
                                + reference.getKey()
                                + " in Secret "
                                + namespace
                                + "/"
                                + reference.getName());
            }
            return Optional.ofNullable(value);
        }
        throw new Obstacle(
                "CreateContainerConfigError",
                "the test kubelet does not know where the variable "
                        + variable.getName()
                        + " comes from");
    }

    private String field(ObjectFieldSelector reference) throws Obstacle {
        var metadata = pod.getMetadata();
        String path = reference.getFieldPath();
        return switch (path) {
            case "metadata.name" -> metadata.getName();
            case "metadata.namespace" -> namespace;
            case "metadata.uid" -> metadata.getUid();
            case "spec.nodeName" -> pod.getSpec().getNodeName();
            case "status.podIP", "status.hostIP" -> "127.0.0.1";
            default -> {
                if (path.startsWith("metadata.labels['")) {
                    yield metadata.getLabels().getOrDefault(path.split("'")[1], "");
                }
                if (path.startsWith("metadata.annotations['")) {
                    yield metadata.getAnnotations().getOrDefault(path.split("'")[1], "");
                }
                throw new Obstacle(
                        "CreateContainerConfigError", "the test kubelet does not know " + path);
            }
        };
    }

    private Map<String, String> secret(String name, Boolean optional) throws Obstacle {
        var secret = client.secrets().inNamespace(namespace).withName(name).get();
        if (secret == null) {
            if (Boolean.TRUE.equals(optional)) return Map.of();
            throw new Obstacle("CreateContainerConfigError", "secret \"" + name + "\" not found");
        }
        var values = new LinkedHashMap<String, String>();
        if (secret.getData() != null) {
            secret.getData()
                    .forEach(
                            (key, data) ->
                                    values.put(key, new String(Base64.getDecoder().decode(data))));
        }
        return values;
    }

    private Map<String, String> configMap(String name, Boolean optional) throws Obstacle {
        var map = client.configMaps().inNamespace(namespace).withName(name).get();
        if (map == null) {
            if (Boolean.TRUE.equals(optional)) return Map.of();
            throw new Obstacle(
                    "CreateContainerConfigError", "configmap \"" + name + "\" not found");
        }
        return map.getData() == null ? Map.of() : map.getData();
    }

    /** {@code $(NAME)} stands for a variable that is known by then, {@code $$} for a dollar. */
    static String expanded(String text, Map<String, String> variables) {
        Matcher matcher = REFERENCE.matcher(text);
        var out = new StringBuilder();
        while (matcher.find()) {
            String value =
                    matcher.group().equals("$$")
                            ? "$"
                            : variables.getOrDefault(matcher.group(2), matcher.group());
            matcher.appendReplacement(out, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(out).toString();
    }

    private List<PodMounts.Bind> binds() throws Obstacle, IOException {
        var binds = new ArrayList<PodMounts.Bind>();
        for (var mount : container.getVolumeMounts()) {
            // A real server adds it to each pod; it would need a folder on this machine.
            if (mount.getMountPath().equals(ACCOUNT)) continue;
            Volume volume =
                    pod.getSpec().getVolumes().stream()
                            .filter(each -> each.getName().equals(mount.getName()))
                            .findFirst()
                            .orElseThrow();
            Path from = folder(volume);
            if (mount.getSubPath() != null) {
                from = Files.createDirectories(from.resolve(mount.getSubPath()));
            }
            if (from.toString().equals(mount.getMountPath())) continue;
            boolean readOnly = Boolean.TRUE.equals(mount.getReadOnly());
            binds.add(new PodMounts.Bind(from, mount.getMountPath(), readOnly));
        }
        if (!binds.isEmpty() && PodMounts.whyNot().isPresent()) {
            throw new Obstacle(
                    "CreateContainerError",
                    "the test kubelet cannot mount: " + PodMounts.whyNot().get());
        }
        return binds;
    }

    private Path folder(Volume volume) throws Obstacle, IOException {
        if (volume.getHostPath() != null) {
            Path path = Path.of(volume.getHostPath().getPath());
            String type = volume.getHostPath().getType();
            if (Files.isDirectory(path)) return path;
            if ("DirectoryOrCreate".equals(type)) return Files.createDirectories(path);
            throw new Obstacle(
                    "ContainerCreating",
                    "hostPath type check failed: " + path + " is not a directory");
        }
        if (volume.getEmptyDir() != null) {
            return Files.createDirectories(folder.resolve("volumes").resolve(volume.getName()));
        }
        if (volume.getPersistentVolumeClaim() != null) {
            String claim = volume.getPersistentVolumeClaim().getClaimName();
            return Files.createDirectories(claims.resolve(namespace).resolve(claim));
        }
        Map<String, String> files;
        if (volume.getSecret() != null) {
            files = secret(volume.getSecret().getSecretName(), volume.getSecret().getOptional());
        } else if (volume.getConfigMap() != null) {
            files = configMap(volume.getConfigMap().getName(), volume.getConfigMap().getOptional());
        } else {
            throw new Obstacle(
                    "ContainerCreating",
                    "the test kubelet does not know the kind of " + volume.getName());
        }
        Path made = Files.createDirectories(folder.resolve("volumes").resolve(volume.getName()));
        for (var each : files.entrySet()) {
            Files.writeString(made.resolve(each.getKey()), each.getValue());
        }
        return made;
    }
}
