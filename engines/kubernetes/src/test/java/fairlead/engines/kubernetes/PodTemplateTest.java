package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.MoreVariables;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** How ours is merged into a pod template, and what may stand in one. */
class PodTemplateTest {
    private static Pod ours() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("train")
                .addToLabels("user", "ann")
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(30L)
                .withAffinity(Placing.on("n1"))
                .withTolerations(Placing.toleration("nvidia.com/gpu:NoSchedule"))
                .addNewVolume()
                .withName("mount-0")
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .addNewContainer()
                .withName(Marks.CONTAINER)
                .withImage("lab/torch")
                .withCommand("train")
                .addNewEnv()
                .withName("RANK")
                .withValue("0")
                .endEnv()
                .withNewResources()
                .addToLimits("nvidia.com/gpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    private static Pod merged(String... templates) {
        return PodTemplate.merged(
                ours(), List.of(templates).stream().map(PodTemplate::parse).toList());
    }

    @Test
    void listsAreMergedByTheirKeysAndOursStays() {
        Pod pod =
                merged(
                        """
                        metadata:
                          labels: {team: vision, user: nobody}
                          annotations: {example.com/cost: "7"}
                        spec:
                          terminationGracePeriodSeconds: 120
                          priorityClassName: batch
                          runtimeClassName: nvidia
                          nodeSelector: {zone: a}
                          tolerations: [{key: lab, operator: Exists}]
                          initContainers: [{name: fetch, image: lab/fetch}]
                          volumes: [{name: config, configMap: {name: train}}]
                          containers:
                            - name: task
                              envFrom: [{configMapRef: {name: train}}]
                              env: [{name: RANK, value: "9"}, {name: MORE, value: "1"}]
                              volumeMounts: [{name: config, mountPath: /etc/train}]
                              resources: {limits: {rdma/ib: 1, hugepages-2Mi: 64Mi}}
                            - name: metrics
                              image: lab/exporter
                        """);
        assertEquals(Map.of("team", "vision", "user", "ann"), pod.getMetadata().getLabels());
        var spec = pod.getSpec();
        assertEquals("Never", spec.getRestartPolicy());
        assertEquals(120, spec.getTerminationGracePeriodSeconds());
        assertEquals("batch", spec.getPriorityClassName());
        assertEquals("nvidia", spec.getRuntimeClassName());
        assertEquals(2, spec.getTolerations().size());
        assertEquals(2, spec.getVolumes().size());
        assertEquals("fetch", spec.getInitContainers().getFirst().getName());
        var task = spec.getContainers().getFirst();
        assertEquals("metrics", spec.getContainers().getLast().getName());
        assertEquals(List.of("train"), task.getCommand());
        assertEquals("0", task.getEnv().getFirst().getValue());
        assertEquals("MORE", task.getEnv().getLast().getName());
        assertEquals(
                Set.of("nvidia.com/gpu", "rdma/ib", "hugepages-2Mi"),
                task.getResources().getLimits().keySet());
    }

    @Test
    void theChosenNodeIsOneOfThoseThatTheTemplateAllows() {
        Pod pod =
                merged(
                        """
                        spec:
                          affinity:
                            nodeAffinity:
                              requiredDuringSchedulingIgnoredDuringExecution:
                                nodeSelectorTerms:
                                  - matchExpressions: [{key: zone, operator: In, values: [a]}]
                                  - matchExpressions: [{key: zone, operator: In, values: [b]}]
                        """);
        var terms =
                pod.getSpec()
                        .getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms();
        assertEquals(2, terms.size());
        for (var term : terms) {
            assertEquals("zone", term.getMatchExpressions().getFirst().getKey());
            assertEquals(List.of("n1"), term.getMatchFields().getFirst().getValues());
        }
    }

    @Test
    void whatTheJobSaysGoesBeforeWhatTheClusterSays() {
        Pod pod =
                merged(
                        "spec: {priorityClassName: batch, runtimeClassName: nvidia}",
                        "{\"spec\":{\"priorityClassName\":\"urgent\"}}");
        assertEquals("urgent", pod.getSpec().getPriorityClassName());
        assertEquals("nvidia", pod.getSpec().getRuntimeClassName());
    }

    private static PodTemplateRules rules() {
        return new PodTemplateRules(
                new KubernetesSettings(
                        Path.of("/home"),
                        "lab",
                        Optional.empty(),
                        Optional.empty(),
                        KubernetesSettings.NAMESPACE,
                        Optional.empty(),
                        KubernetesSettings.RESERVATION_IMAGE,
                        List.of(),
                        List.of(),
                        List.of("/data"),
                        new KubernetesSettings.Rules(
                                50,
                                Optional.empty(),
                                List.of("trainer"),
                                List.of("batch"),
                                KubernetesSettings.Sight.CLUSTER,
                                Optional.empty(),
                                Optional.empty()),
                        Duration.ofMinutes(1),
                        1,
                        MoreVariables.NONE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {status: {}}                                            | status is not of a pod
                    {metadata: {name: x}}                                   | metadata.name is set by Fairlead
                    {metadata: {labels: {fairlead/server: x}}}              | fairlead/server is set by Fairlead
                    {spec: {restartPolicy: Always}}                         | spec.restartPolicy: attempts are counted
                    {spec: {nodeName: n1}}                                  | spec.nodeName: the scheduler of Fairlead
                    {spec: {containers: [{name: task, image: x}]}}          | the container task: image: say image
                    {spec: {containers: [{name: task, resources: {limits: {cpu: 1}}}]}} | cpu is counted by Fairlead
                    """)
    void whatIsFairleadsOwnIsRefusedInBothTemplates(String template, String words) {
        var rules = rules();
        String problem = rules.ofCluster(PodTemplate.parse(template)).orElseThrow();
        assertTrue(problem.contains(words), problem);
        assertEquals(problem, rules.ofJob(PodTemplate.parse(template)).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    {spec: {hostPID: true}}                                 | spec.hostPID: it shows the processes
                    {spec: {serviceAccountName: admin}}                     | 'lab.service-accounts' does not allow 'admin'; it allows [trainer]
                    {spec: {automountServiceAccountToken: true}}            | the account of the namespace is not the job's
                    {spec: {priorityClassName: urgent}}                     | 'lab.priority-classes' does not allow 'urgent'
                    {spec: {volumes: [{name: v, hostPath: {path: /etc}}]}}  | the volume v: 'lab.host-paths' does not allow /etc
                    {spec: {volumes: [{name: v, hostPath: {path: /data/../etc}}]}} | the volume v: 'lab.host-paths' does not allow
                    {spec: {volumes: [{name: v, secret: {secretName: fairlead-1-2}}]}} | secrets called fairlead-... belong to other jobs
                    {spec: {containers: [{name: x, envFrom: [{secretRef: {name: fairlead-1-2}}]}]}} | belong to other jobs
                    {spec: {containers: [{name: x, securityContext: {privileged: true}}]}} | privileged is for the cluster's template
                    {spec: {containers: [{name: x, securityContext: {capabilities: {add: [SYS_ADMIN]}}}]}} | more privileges
                    """)
    void whatWouldGiveRightsIsRefusedInAJobsTemplateAlone(String template, String words) {
        var rules = rules();
        assertEquals(Optional.empty(), rules.ofCluster(PodTemplate.parse(template)));
        String problem = rules.ofJob(PodTemplate.parse(template)).orElseThrow();
        assertTrue(problem.contains(words), problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {spec: {serviceAccountName: trainer, automountServiceAccountToken: true}}
                    {spec: {priorityClassName: batch, schedulerName: volcano}}
                    {spec: {volumes: [{name: v, hostPath: {path: /data/sets}}]}}
                    {spec: {volumes: [{name: v, nfs: {server: nas, path: /x}}, {name: w, csi: {driver: d}}]}}
                    {spec: {securityContext: {runAsUser: 1000, fsGroup: 100}}}
                    """)
    void whatTeamsNeedIsAllowed(String template) {
        assertEquals(Optional.empty(), rules().ofJob(PodTemplate.parse(template)));
    }

    @Test
    void theDocumentListsWhatIsRefused() throws Exception {
        String page = Files.readString(Path.of("../../docs/kubernetes.md"));
        var named = new TreeSet<String>();
        named.addAll(PodTemplateRules.FIXED.keySet());
        named.addAll(PodTemplateRules.FIXED_OF_TASK.keySet());
        named.addAll(PodTemplateRules.RIGHTS.keySet());
        named.addAll(PodTemplateRules.RIGHTS_OF_CONTAINERS);
        for (String field : named) assertTrue(page.contains("`" + field + "`"), field);
    }
}
