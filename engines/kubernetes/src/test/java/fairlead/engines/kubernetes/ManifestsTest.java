package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;

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
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The files of deploy/kubernetes: each is what its kind allows, and they fit each other. */
class ManifestsTest {
    static final Path FOLDER = Path.of("../../deploy/kubernetes");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final Path CHART = Path.of("../../deploy/helm/fairlead");
    private static final String NAMESPACE = "namespace.yaml";
    private static final String KUSTOMIZATION = "kustomization.yaml";

    private static List<HasMetadata> documents() throws IOException {
        return documents(FOLDER);
    }

    /** Of a folder with manifests, or of one file. */
    static List<HasMetadata> documents(Path place) throws IOException {
        var documents = new ArrayList<HasMetadata>();
        for (Path file : Files.isDirectory(place) ? files(place) : List.of(place)) {
            for (String text : Files.readString(file).split("(?m)^---$")) {
                documents.add(YAML.unmarshal(text, HasMetadata.class));
            }
        }
        return documents;
    }

    private static List<Path> files() throws IOException {
        return files(FOLDER);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
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
        var all = new ArrayList<>(documents());
        all.addAll(documents(Path.of("../../deploy/rights")));
        for (HasMetadata document : all) {
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
    void theKustomizationNamesEveryFileButTheNamespace() throws IOException {
        String text = Files.readString(FOLDER.resolve(KUSTOMIZATION));
        for (Path file : files()) {
            // The namespace comes before: in one that is missing nothing can be tried out.
            boolean isNamed = text.contains("  - " + file.getFileName() + "\n");
            assertEquals(!file.endsWith(NAMESPACE), isNamed, file.toString());
        }
        assertTrue(text.contains("kubectl apply -f deploy/kubernetes/" + NAMESPACE));
    }

    /** As helm fills in a template that has values and nothing else. */
    private static String filledIn(String template) throws IOException {
        String text = template.replace("{{ .Release.Namespace }}", "fairlead");
        JsonNode values =
                YAML.unmarshal(Files.readString(CHART.resolve("values.yaml")), JsonNode.class);
        for (var value : values.properties()) {
            String plain = value.getValue().asText();
            text = text.replace("{{ .Values." + value.getKey() + " }}", plain);
            text =
                    text.replaceAll(
                            "\\s*\\{\\{- .Values." + value.getKey() + " \\| nindent 4 }}",
                            "\n" + plain.indent(4).stripTrailing());
        }
        assertFalse(text.contains("{{"), text);
        return text;
    }

    @Test
    void theChartMakesWhatTheManifestsSay() throws IOException {
        var ofChart = new ArrayList<String>();
        try (var files = Files.list(CHART.resolve("templates"))) {
            for (Path file : files.sorted().toList()) {
                for (String text : filledIn(Files.readString(file)).split("(?m)^---$"))
                    ofChart.add(
                            YAML.asYaml(YAML.unmarshal(text, HasMetadata.class))
                                    .replace("fairlead:0.1.0", "fairlead")
                                    .replaceAll(" +\\n", "\n"));
            }
        }
        // The namespace is made by helm itself.
        var ours =
                documents().stream()
                        .filter(each -> !each.getKind().equals("Namespace"))
                        .map(each -> YAML.asYaml(each).replaceAll(" +\\n", "\n"))
                        .toList();
        assertEquals(new TreeSet<>(ours), new TreeSet<>(ofChart));
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
