package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The files of deploy/kubernetes: each is what its kind allows, and they fit each other. */
class ManifestsTest {
    static final Path FOLDER = Path.of("../../deploy/kubernetes");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final String KUSTOMIZATION = "kustomization.yaml";

    static List<HasMetadata> documents() throws IOException {
        var documents = new ArrayList<HasMetadata>();
        for (Path file : files()) {
            for (String text : Files.readString(file).split("(?m)^---$")) {
                documents.add(YAML.unmarshal(text, HasMetadata.class));
            }
        }
        return documents;
    }

    private static List<Path> files() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.filter(file -> !file.endsWith(KUSTOMIZATION)).sorted().toList();
        }
    }

    private static <T> T only(Class<T> kind) throws IOException {
        var found = documents().stream().filter(kind::isInstance).map(kind::cast).toList();
        assertEquals(1, found.size(), kind.getSimpleName());
        return found.getFirst();
    }

    @Test
    void noFieldIsUnknownToItsKind() throws Exception {
        for (HasMetadata document : documents()) {
            var unknown = new ArrayList<String>();
            collectUnknown(document, document.getKind(), unknown);
            assertEquals(List.of(), unknown);
        }
    }

    /** What the client's model does not know, it keeps in a map of each object. */
    private static void collectUnknown(Object value, String path, List<String> unknown)
            throws ReflectiveOperationException {
        switch (value) {
            case null -> {}
            case Collection<?> all -> {
                for (Object each : all) collectUnknown(each, path + "[]", unknown);
            }
            case Map<?, ?> all -> {
                for (var each : all.entrySet())
                    collectUnknown(each.getValue(), path + "." + each.getKey(), unknown);
            }
            default -> {
                if (!value.getClass().getName().startsWith("io.fabric8.kubernetes.api.model"))
                    return;
                for (Method method : value.getClass().getMethods()) {
                    if (!method.getName().startsWith("get") || method.getParameterCount() > 0)
                        continue;
                    String field = method.getName().substring("get".length());
                    Object inner = method.invoke(value);
                    if (!field.equals("AdditionalProperties")) {
                        collectUnknown(inner, path + "." + field, unknown);
                    } else if (inner instanceof Map<?, ?> left) {
                        left.keySet().forEach(key -> unknown.add(path + "." + key));
                    }
                }
            }
        }
    }

    @Test
    void theKustomizationNamesEveryFile() throws IOException {
        String text = Files.readString(FOLDER.resolve(KUSTOMIZATION));
        for (Path file : files()) {
            assertTrue(text.contains("  - " + file.getFileName() + "\n"), file.toString());
        }
    }

    @Test
    void everyVolumeThatIsMountedIsThere() throws IOException {
        StatefulSet set = only(StatefulSet.class);
        PodSpec pod = set.getSpec().getTemplate().getSpec();
        Set<String> volumes =
                pod.getVolumes().stream().map(Volume::getName).collect(Collectors.toSet());
        set.getSpec()
                .getVolumeClaimTemplates()
                .forEach(claim -> volumes.add(claim.getMetadata().getName()));
        var mounted = new HashSet<String>();
        for (Container container : pod.getContainers()) {
            container.getVolumeMounts().forEach(mount -> mounted.add(mount.getName()));
        }
        assertEquals(volumes, mounted);
    }

    @Test
    void theServiceLeadsToTheServersPort() throws IOException {
        Service service = only(Service.class);
        var template = only(StatefulSet.class).getSpec().getTemplate();
        assertEquals(template.getMetadata().getLabels(), service.getSpec().getSelector());
        var port = template.getSpec().getContainers().getFirst().getPorts().getFirst();
        var target = service.getSpec().getPorts().getFirst();
        assertEquals(port.getName(), target.getTargetPort().getStrVal());
        assertEquals(port.getContainerPort(), target.getPort());
    }

    @Test
    void theServerIsProbedAndHasNoMoreRightsOnItsNodeThanItNeeds() throws IOException {
        StatefulSet set = only(StatefulSet.class);
        assertEquals(1, set.getSpec().getReplicas());
        PodSpec pod = set.getSpec().getTemplate().getSpec();
        assertTrue(pod.getSecurityContext().getRunAsNonRoot());
        for (Container container : pod.getContainers()) {
            assertNotNull(container.getStartupProbe());
            assertNotNull(container.getReadinessProbe());
            assertNotNull(container.getLivenessProbe());
            assertFalse(container.getResources().getLimits().isEmpty());
            assertFalse(container.getSecurityContext().getAllowPrivilegeEscalation());
            assertTrue(container.getSecurityContext().getReadOnlyRootFilesystem());
            assertEquals(
                    List.of("ALL"), container.getSecurityContext().getCapabilities().getDrop());
        }
    }
}
