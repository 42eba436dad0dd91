package fairlead.dialects.pods;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.nodes.Node;

import java.util.List;
import java.util.Map;

class PodFileTest {
    private static final String LEAST =
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: ann-job}
            spec:
              restartPolicy: Never
              containers:
                - name: main
                  image: lab-base
                  command: [python, train.py]
            """;

    private static Node node(String text) {
        return new Compose(LoadSettings.builder().build()).composeString(text).orElseThrow();
    }

    private static PodJob read(String text) throws Misuse {
        return PodFile.read(node(text));
    }

    /** The least pod with more fields of its container; {@code ~} is a new line. */
    private static String with(String fields) {
        return LEAST + ("      " + fields).replace("~", "\n      ") + "\n";
    }

    /** The least pod with more fields of its spec. */
    private static String inSpec(String fields) {
        return LEAST + ("  " + fields).replace("~", "\n  ") + "\n";
    }

    @Test
    void theLeastPodIsAJobWithoutGpusThatIsNotTriedAgain() throws Misuse {
        PodJob pod = read(LEAST);
        SpecBody spec = pod.spec();
        assertEquals(List.of(), pod.remarks());
        assertNull(pod.user());
        assertEquals("ann-job", spec.name());
        assertEquals("ann-job", spec.container().podName());
        assertEquals("lab-base", spec.image());
        assertEquals(List.of("python", "train.py"), spec.command());
        assertEquals(0, spec.gpus());
        assertEquals(0, spec.retries());
        assertNull(spec.container().entrypoint());
        assertNull(spec.priority());
        assertNull(spec.workdir());
    }

    @Test
    void r37EverythingThatAJobCanHaveIsTaken() throws Misuse {
        PodJob pod =
                read(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata:
                          name: full
                          labels: {user: ann, priority: "0-3"}
                        spec:
                          restartPolicy: Never
                          hostIPC: true
                          hostNetwork: true
                          activeDeadlineSeconds: 3600
                          imagePullSecrets: [{name: registry}]
                          securityContext: {runAsUser: 1, runAsGroup: 100}
                          nodeSelector: {nvidia.com/gpu.product: A100}
                          containers:
                            - image: i
                              imagePullPolicy: IfNotPresent
                              workingDir: /work
                              stdin: true
                              tty: true
                              securityContext: {runAsUser: 1000}
                              args: [--lr, 0.1]
                              ports: [{containerPort: 8888, name: jupyter}, {containerPort: 80, hostPort: 8080}]
                              resources:
                                limits: {nvidia.com/gpu: 2, cpu: 1500m, memory: 2Gi}
                              volumeMounts:
                                - {name: data, mountPath: /data, readOnly: true}
                                - {name: host, mountPath: /host}
                                - {name: shm, mountPath: /dev/shm}
                          volumes:
                            - {name: data, persistentVolumeClaim: {claimName: pv-data}}
                            - {name: host, hostPath: {path: /srv, type: Directory}}
                            - {name: shm, emptyDir: {medium: Memory}}
                        """);
        assertEquals(List.of(), pod.remarks());
        assertEquals("ann", pod.user());
        SpecBody spec = pod.spec();
        assertEquals(-3, spec.priority());
        assertEquals(List.of("--lr", "0.1"), spec.command());
        assertEquals(2, spec.gpus());
        assertEquals(2, spec.cpus());
        assertEquals("2147483648", spec.memory());
        assertEquals("A100", spec.gpuType());
        assertEquals("3600s", spec.time());
        assertEquals("/work", spec.workdir());
        assertEquals(List.of("claim:pv-data:/data:ro", "/srv:/host"), spec.mounts());
        assertEquals(List.of("8888:8888", "8080:80"), spec.ports());
        assertEquals(
                ContainerBody.of(
                        container -> {
                            container.podName = "full";
                            container.shm = "1073741824";
                            container.runAs = "1000:100";
                            container.entrypoint = true;
                            container.pullPolicy = "if-not-present";
                            container.pullSecrets = List.of("registry");
                            container.stdin = true;
                            container.tty = true;
                            container.hostIpc = true;
                            container.hostNetwork = true;
                        }),
                spec.container());
    }

    @ParameterizedTest
    @CsvSource({"1,1", "0,0", "0-3,-3", "-2,-2", "high,0", "0-,0", "1.5,0"})
    void r47ThePriorityOfALabel(String label, int priority) throws Misuse {
        PodJob pod =
                read(
                        LEAST.replace(
                                "{name: ann-job}",
                                "{name: a, labels: {priority: \"" + label + "\"}}"));
        assertEquals(priority, pod.spec().priority());
        boolean isNumber = label.matches("-?\\d+|0-\\d+");
        assertEquals(isNumber ? 0 : 1, pod.remarks().size());
    }

    @Test
    void variablesStandForThemselvesInCommandsAndInLaterVariables() throws Misuse {
        SpecBody spec =
                read(with(
                                "env: [{name: A, value: 1}, {name: B, value: \"$(A)$(C)\"},"
                                        + " {name: C, value: $$(A)}, {name: D}]~args:"
                                        + " [\"$(A)-$(B)-$(C)-$(NO)-$A-$$(A)\"]"))
                        .spec();
        assertEquals(Map.of("A", "1", "B", "1$(C)", "C", "$(A)", "D", ""), spec.env());
        assertEquals(List.of("python", "train.py", "1-1$(C)-$(A)-$(NO)-$A-$(A)"), spec.command());
    }

    @ParameterizedTest
    @CsvSource({
        "2, 2",
        "2.1, 3",
        "500m, 1",
        "1k, 1000",
        "1Ki, 1024",
        "1.5Mi, 1572864",
        "2e3, 2000",
        "1G, 1000000000",
        "1Ti, 1099511627776"
    })
    void amountsAreReadAsKubernetesWritesThem(String text, long whole) throws Misuse {
        var section = new Section("limits", node("{memory: " + text + "}"));
        assertEquals(whole, Quantity.of(section, "memory").whole());
    }

    @Test
    void aRequestCountsWhereThereIsNoLimit() throws Misuse {
        PodJob only = read(with("resources: {requests: {cpu: 2, memory: 1Gi}}"));
        assertEquals(2, only.spec().cpus());
        assertEquals(List.of(), only.remarks());
        PodJob both = read(with("resources:~  limits: {cpu: 4}~  requests: {cpu: 2}"));
        assertEquals(4, both.spec().cpus());
        assertEquals(
                "spec.containers[0].resources.requests.cpu is ignored: the limit counts",
                both.remarks().getFirst().text());
    }

    @Test
    void anImagesOwnProgramRunsWhereThereIsNoCommand() throws Misuse {
        SpecBody spec = read(LEAST.replace("      command: [python, train.py]\n", "")).spec();
        assertNull(spec.command());
        assertEquals(true, spec.container().entrypoint());
    }

    @Test
    void aGeneratedNameIsTheJobsAndNotThePods() throws Misuse {
        SpecBody spec = read(LEAST.replace("name: ann-job", "generateName: ann-")).spec();
        assertEquals("ann", spec.name());
        assertNull(spec.container().podName());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "serviceAccountName: me          | 10 | spec.serviceAccountName is ignored",
                "tolerations: []                 | 10 | spec.tolerations is ignored",
                "securityContext: {fsGroup: 1}   | 10 | spec.securityContext.fsGroup is ignored",
                "volumes: [{name: a, emptyDir: {}}] | 10 | the volume a is mounted nowhere",
            })
    void whatIsIgnoredIsToldWithItsLine(String field, int line, String text) throws Misuse {
        assertEquals(List.of(new Remark(line, text)), read(inSpec(field)).remarks());
    }

    @Test
    void r38OtherLabelsNamespacesAndRestartPoliciesAreTold() throws Misuse {
        String odd =
                LEAST.replace(
                                "{name: ann-job}",
                                "{name: a, namespace: lab, labels: {app: x}, annotations: {}}")
                        .replace("Never", "OnFailure");
        List<String> told = read(odd).remarks().stream().map(Remark::text).toList();
        assertEquals(4, told.size(), told.toString());
        assertTrue(told.contains("metadata.namespace is ignored: the job's project decides"));
        assertTrue(told.contains("metadata.labels.app is ignored"));
        assertTrue(told.contains("metadata.annotations is ignored"));
        assertTrue(told.getLast().startsWith("spec.restartPolicy OnFailure counts as Never"));
        String silent = LEAST.replace("  restartPolicy: Never\n", "");
        assertEquals(5, read(silent).remarks().getFirst().line());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "env: [{name: A, valueFrom: {a: b}}] | 10 | valueFrom is not possible",
                "envFrom: [{a: b}]             | 10 | envFrom is not possible",
                "env: {A: 1}                   | 10 | env must be a list",
                "args: --lr                    | 10 | args must be a list of texts",
                "ports: [{containerPort: 1, protocol: UDP}] | 10 | protocol must be TCP",
                "resources: {limits: {amd.com/gpu: 1}} | 10 | amd.com/gpu is not known",
                "resources: {limits: {nvidia.com/gpu: 0.5}} | 10 | must be a whole number",
                "resources: {limits: {memory: much}} | 10 | must be an amount",
                "imagePullPolicy: Sometimes    | 10 | must be Always, IfNotPresent or Never",
                "securityContext: {runAsUser: ann} | 10 | must be a whole number",
                "securityContext: {runAsGroup: 1} | 10 | needs runAsUser",
                "volumeMounts: [{name: a, mountPath: /a}] | 10 | is no volume of the pod: 'a'",
                "volumeMounts: [{mountPath: /a}] | 10 | name is missing",
                "tty: maybe                    | 10 | must be true or false",
                "image: other                  | 10 | spec.containers[0].image is given twice",
            })
    void aMistakeOfTheContainerNamesFieldAndLine(String field, int line, String text) {
        var misuse = assertThrows(Misuse.class, () -> read(with(field)));
        assertTrue(misuse.getMessage().contains(text), misuse.getMessage());
        assertEquals(line, misuse.line());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "initContainers: [{name: a}]       | initContainers are not possible",
                "nodeSelector: {disk: ssd}         | only nvidia.com/gpu.product",
                "nodeSelector: {nvidia.com/gpu.product: a} | the pod asks for none",
                "hostIPC: yes                      | must be true or false",
                "activeDeadlineSeconds: soon       | must be a whole number",
            })
    void aMistakeOfThePodNamesItsField(String field, String text) {
        var misuse = assertThrows(Misuse.class, () -> read(inSpec(field)));
        assertTrue(misuse.getMessage().contains(text), misuse.getMessage());
        assertEquals(10, misuse.line());
    }

    @ParameterizedTest
    @CsvSource({"configMap: {name: c}", "emptyDir: {}", "nfs: {server: s}"})
    void storageThatCannotBeGivenIsRefused(String kind) {
        String pod =
                with("volumeMounts: [{name: v, mountPath: /v}]")
                        + "  volumes:\n    - name: v\n      "
                        + kind
                        + "\n";
        var misuse = assertThrows(Misuse.class, () -> read(pod));
        assertTrue(misuse.getMessage().contains("persistentVolumeClaim"), misuse.getMessage());
        assertEquals(12, misuse.line());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: Pod   | kind: Job              | kind must be Pod of apiVersion v1",
                "name: ann-job | x: y                 | metadata.name is missing",
                "image: lab-base | x: y               | image is missing",
                "metadata: {name: ann-job} | a: b     | metadata is missing",
                "apiVersion: v1 | apiVersion: v2      | kind must be Pod of apiVersion v1",
            })
    void whatAPodNeedsIsNamed(String there, String instead, String text) {
        var misuse = assertThrows(Misuse.class, () -> read(LEAST.replace(there, instead)));
        assertTrue(misuse.getMessage().contains(text), misuse.getMessage());
    }

    @Test
    void aPodHasOneContainer() {
        String two = LEAST + "    - {name: b, image: i}\n";
        var misuse = assertThrows(Misuse.class, () -> read(two));
        assertEquals(6, misuse.line());
        assertTrue(misuse.getMessage().contains("must be one, but are 2"), misuse.getMessage());
        String none = LEAST.substring(0, LEAST.indexOf("  containers:"));
        assertThrows(Misuse.class, () -> read(none));
        String mistyped = LEAST.replace("containers:", "containrs:");
        var unknown = assertThrows(Misuse.class, () -> read(mistyped));
        assertEquals(6, unknown.line());
        assertEquals(
                "spec.containrs is not known. Did you mean 'containers'?", unknown.getMessage());
    }

    @Test
    void onlyDocumentsOfKubernetesAreTakenForSuch() {
        assertTrue(PodFile.isIt(node(LEAST)));
        assertTrue(PodFile.isIt(node("{kind: Job, apiVersion: batch/v1}")));
        assertFalse(PodFile.isIt(node("{name: a, command: b}")));
        assertFalse(PodFile.isIt(node("[kind, apiVersion]")));
    }
}
