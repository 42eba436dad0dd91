package fairlead.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.MoreVariables;
import fairlead.engines.kubernetes.KubernetesSettings;
import fairlead.engines.local.container.ContainerSettings;
import fairlead.server.http.PersonLimits;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

final class SettingsTest {
    @TempDir Path home;

    private Settings read(String... flags) throws StartException {
        var arguments = new ArrayList<>(List.of("--home", home.toString()));
        arguments.addAll(List.of(flags));
        return Settings.read(arguments).settings();
    }

    @Test
    void withoutFlagsAndFileTheseAreTheDefaults() throws Exception {
        assertEquals(
                new Settings(
                        OptionalInt.empty(),
                        0,
                        "elastic",
                        "127.0.0.1",
                        0,
                        Optional.empty(),
                        256L * 1024 * 1024,
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(5),
                        Duration.ofDays(30),
                        3,
                        new ContainerSettings("", false),
                        Optional.empty(),
                        OptionalLong.empty(),
                        Set.of(),
                        Optional.empty(),
                        Set.of(),
                        Set.of(),
                        "public",
                        new TeamSettings(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                new PersonLimits.Most(200, 100),
                                Duration.ofDays(365)),
                        List.of(new ClusterSettings.Local("local"))),
                read());
    }

    @Test
    void theFileIsReadAndFlagsGoBeforeIt() throws Exception {
        Files.writeString(
                home.resolve("settings"),
                """
                # a lab's box
                gpus = 4
                gpu-memory = 16G
                policy=fifo

                log-bytes = 1G
                stop-grace = 1m30s
                """);
        Settings settings = read("--gpus", "2", "--keep", "7d", "--port", "8080");
        assertEquals(OptionalInt.of(2), settings.gpus());
        assertEquals(16L << 30, settings.gpuMemoryBytes());
        assertEquals("fifo", settings.policy());
        assertEquals(1L << 30, settings.logBytes());
        assertEquals(Duration.ofSeconds(90), settings.stopGrace());
        assertEquals(Duration.ofDays(7), settings.keep());
        assertEquals(8080, settings.port());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    gpu = 4          | line 1: unknown key 'gpu'; known: gpus, gpu-memory, policy, host, port, url, log-bytes, stop-grace, undisturbed, keep, copies, images, container-program, openpai-fs, memory, accounts, guests, names, origins, tls, certificate, certificate-key, requests-per-person, streams-per-person, keep-audit, azure-cloud, clusters
                    gpus             | line 1: expected 'key = value'
                    gpus = four      | line 1: gpus: must be a whole number from 0 to 4096, but is 'four'
                    gpu-memory = 16  | gpu-memory: must be at least 100M
                    memory = 900T    | line 1: memory: is more than this machine has, which is
                    port = 70000     | port: must be a whole number from 0 to 65535
                    policy = lottery | no policy 'lottery'; known:
                    log-bytes = 1    | log-bytes: must be at least
                    copies = 400     | copies: must be a whole number from 0 to 366
                    keep = soon      | keep: must be a number with a unit
                    url = gpu-box    | line 1: url: must be as in http://gpu-box:7300, but is 'gpu-box'
                    url = http://a/b | url: must be as in http://gpu-box:7300
                    images = yes     | line 1: images: must be if-possible or required, but is 'yes'
                    container-program = a b | container-program: must be a name such as podman, an absolute path, or none
                    accounts = a, -b | line 1: accounts: must be as in trainer, with commas between several, but has '-b'
                    guests = maybe   | line 1: guests: must be yes or no, but is 'maybe'
                    names = a:80     | line 1: names: must be as in gpu-box.lab.org
                    origins = *      | line 1: origins: must be as in https://portal.lab.org
                    tls = on         | line 1: tls: must be yes or no, but is 'on'
                    certificate = a.pem | line 1: certificate: must be an absolute path, but is 'a.pem'
                    certificate = /a.pem | certificate and certificate-key: set both or none
                    requests-per-person = 0 | requests-per-person: must be at least 1
                    clusters =       | clusters: must name 1 to 16 clusters
                    clusters = Lab   | clusters: a name has lower case letters, digits and '-'
                    clusters = logs  | clusters: 'logs' is a file of the home folder
                    clusters = a, a  | clusters: a name is given twice
                    clusters = lab   | line 1: the cluster 'lab' has no engine; add 'lab.engine = kubernetes'
                    lab.image = x    | line 1: 'lab.image' is about the cluster 'lab', which 'clusters' does not name; it names local
                    local.image = x  | line 1: 'local.image' has no meaning for the engine local
                    local.colour = x | line 1: unknown key 'local.colour'; a cluster has engine, kubeconfig, context,
                    local.engine = x | line 1: local.engine: no engine 'x'; known: local, kubernetes, yarn, azureml
                    """)
    void aBadLineStopsTheStartAndSaysWhy(String line, String words) throws Exception {
        Files.writeString(home.resolve("settings"), line + "\n");
        var refusal = assertThrows(StartException.class, this::read);
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
        assertEquals(2, refusal.exitCode());
    }

    /** After an upgrade nothing that was told to use plain HTTP is left without an answer. */
    @Test
    void aPlainUrlOfAnEncryptedServerIsRefusedUntilOneOfThemIsChanged() throws Exception {
        String open = "host = 0.0.0.0\nurl = http://gpu-box:7300\n";
        Files.writeString(home.resolve("settings"), open);
        String words = assertThrows(StartException.class, this::read).getMessage();
        assertTrue(words.contains("line 2: url: is http, but"), words);
        Files.writeString(home.resolve("settings"), open + "tls = no\n");
        assertFalse(read().team().isEncrypted("0.0.0.0"));
        Files.writeString(home.resolve("settings"), open.replace("http:", "https:"));
        assertTrue(read().team().isEncrypted("0.0.0.0"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # nothing         | line 2: the cluster 'h' has no settings of Hadoop; add 'h.conf = /etc/hadoop/conf'
                    h.conf = etc      | line 3: h.conf: must be an absolute path, but is 'etc'
                    h.image = x       | line 3: 'h.image' has no meaning for the engine yarn
                    h.docker = maybe  | line 3: h.docker: must be true or false, but is 'maybe'
                    h.task-memory = x | h.task-memory
                    """)
    void aBadLineOfAYarnClusterIsRefused(String line, String words) throws Exception {
        Files.writeString(
                home.resolve("settings"), "clusters = h\nh.engine = yarn\n" + line + "\n");
        var refusal = assertThrows(StartException.class, this::read);
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
    }

    @Test
    void aYarnClusterHasItsLinesInBytesAndMilliseconds() throws Exception {
        Files.writeString(
                home.resolve("settings"),
                """
                clusters = h
                h.engine = yarn
                h.conf = /etc/hadoop/conf
                h.queue = {project}
                h.task-memory = 1G
                h.start-patience = 2m
                """);
        assertEquals(
                List.of(
                        new ClusterSettings.Loaded(
                                "h",
                                "yarn",
                                Map.of(
                                        "conf", "/etc/hadoop/conf",
                                        "queue", "{project}",
                                        "task-memory", "" + (1L << 30),
                                        "start-patience", "120000"))),
                read().clusters());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # nothing              | line 2: the cluster 'a' has no compute of Azure ML; add 'a.compute = NAME'
                    a.compute = /x         | line 6: a.compute: must be the name of a resource, but is '/x'
                    a.queue = x            | line 6: 'a.queue' has no meaning for the engine azureml
                    a.credential = key     | line 6: a.credential: must be one of default, cli, environment, managed, workload, device-code, but is 'key'
                    a.cloud = moon         | line 6: a.cloud: must be one of public, china, usgovernment, but is 'moon'
                    """)
    void aBadLineOfAnAzureMlClusterIsRefused(String line, String words) throws Exception {
        String rest = line.startsWith("a.compute") ? "" : "a.compute = c\n";
        Files.writeString(
                home.resolve("settings"), AZURE + line + "\n" + (line.startsWith("#") ? "" : rest));
        var refusal = assertThrows(StartException.class, this::read);
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
    }

    private static final String AZURE =
            """
            clusters = a
            a.engine = azureml
            a.subscription = 00000000-0000-0000-0000-000000000000
            a.resource-group = group
            a.workspace = space
            """;

    @Test
    void anAzureMlClusterHasItsLines() throws Exception {
        Files.writeString(
                home.resolve("settings"),
                AZURE + "a.compute = NC24RSV3\na.cloud = china\na.queued = 4\n");
        assertEquals(
                List.of(
                        new ClusterSettings.Loaded(
                                "a",
                                "azureml",
                                Map.of(
                                        "subscription", "00000000-0000-0000-0000-000000000000",
                                        "resource-group", "group",
                                        "workspace", "space",
                                        "compute", "NC24RSV3",
                                        "cloud", "china",
                                        "queued", "4"))),
                read().clusters());
    }

    @Test
    void aServerHasSeveralClustersAndTheFirstIsTheDefault() throws Exception {
        Files.writeString(
                home.resolve("settings"),
                """
                clusters = lab, local
                url = http://gpu-box:7300/
                lab.engine = kubernetes
                lab.kubeconfig = /etc/lab/config
                lab.context = admin@lab
                lab.namespace = runai-{project}
                lab.image = lab/torch:2
                lab.pull-secrets = registry, other
                lab.tolerations = nvidia.com/gpu:NoSchedule, team=vision:NoExecute
                lab.host-paths = /data, /scratch/shared
                lab.gpu-requests = 25%
                lab.pod-template = /etc/lab/pod.yaml
                lab.service-accounts = trainer
                lab.priority-classes = batch
                lab.nodes = 4x8
                lab.autoscaler = 2x8
                lab.start-patience = 3m
                """);
        Settings settings = read();
        assertEquals(Optional.of("http://gpu-box:7300"), settings.url());
        var lab =
                new ClusterSettings.Kubernetes(
                        "lab",
                        Optional.of(Path.of("/etc/lab/config")),
                        Optional.of("admin@lab"),
                        "runai-{project}",
                        Optional.of("lab/torch:2"),
                        "busybox:1.36",
                        List.of("registry", "other"),
                        List.of("nvidia.com/gpu:NoSchedule", "team=vision:NoExecute"),
                        List.of("/data", "/scratch/shared"),
                        new KubernetesSettings.Rules(
                                25,
                                Optional.of(Path.of("/etc/lab/pod.yaml")),
                                List.of("trainer"),
                                List.of("batch"),
                                KubernetesSettings.Sight.CLUSTER,
                                Optional.of(new KubernetesSettings.Shape(4, 8)),
                                Optional.of(new KubernetesSettings.Shape(2, 8))),
                        Duration.ofMinutes(3));
        assertEquals(List.of(lab, new ClusterSettings.Local("local")), settings.clusters());
        assertEquals(
                new KubernetesSettings(
                        home,
                        "lab",
                        lab.kubeconfig(),
                        lab.context(),
                        lab.namespace(),
                        lab.image(),
                        lab.reservationImage(),
                        lab.pullSecrets(),
                        lab.tolerations(),
                        lab.hostPaths(),
                        lab.rules(),
                        lab.startPatience(),
                        1,
                        MoreVariables.NONE),
                lab.settings(home, 1, MoreVariables.NONE));
    }

    @Test
    void aKubernetesClusterNeedsNoMoreThanItsEngine() throws Exception {
        assertEquals(
                List.of(
                        new ClusterSettings.Kubernetes(
                                "lab",
                                Optional.empty(),
                                Optional.empty(),
                                "fairlead-{project}",
                                Optional.empty(),
                                "busybox:1.36",
                                List.of(),
                                List.of(),
                                List.of(),
                                KubernetesSettings.Rules.USUAL,
                                Duration.ofMinutes(10))),
                read("--clusters", "lab", "--lab.engine", "kubernetes").clusters());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    lab.tolerations = gpu            | lab.tolerations: each is key[=value]:effect, such as 'nvidia.com/gpu:NoSchedule'
                    lab.tolerations = a:NoSchedule, b:Never | but one is 'b:Never'
                    lab.pull-secrets = My Secret     | lab.pull-secrets: each is the name of a secret
                    lab.namespace = Lab_{user}       | lab.namespace: must have lower case letters
                    lab.kubeconfig = config          | lab.kubeconfig: must be an absolute path, but is 'config'
                    lab.context =                    | lab.context: is empty
                    lab.host-paths = /data/../etc    | lab.host-paths: each is an absolute path without dots, but one is '/data/../etc'
                    lab.host-paths = data            | lab.host-paths: each is an absolute path
                    lab.rights = all                 | lab.rights: must be cluster or namespace, but is 'all'
                    lab.rights = namespace           | with the rights of one namespace, 'lab.namespace' must name it
                    lab.nodes = 8                    | lab.nodes: must be NODESxGPUS, such as 4x8, but is '8'
                    lab.gpu-requests = 101           | lab.gpu-requests: must be a share from 0 to 100%, but is '101'
                    lab.start-patience = long        | lab.start-patience: must be a number with a unit
                    """)
    void aBadLineOfAClusterIsNamedWithItsPlace(String line, String words) throws Exception {
        Files.writeString(
                home.resolve("settings"),
                "clusters = lab\nlab.engine = kubernetes\n" + line + "\n");
        var refusal = assertThrows(StartException.class, this::read);
        assertTrue(refusal.getMessage().contains("settings line 3: "), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
    }

    @Test
    void oneMachineIsOneCluster() {
        var refusal =
                assertThrows(
                        StartException.class,
                        () -> read("--clusters", "local, twin", "--twin.engine", "local"));
        assertEquals(
                "clusters: this machine can be one cluster, but two have engine local",
                refusal.getMessage());
    }

    @Test
    void aKeyThatStandsTwiceStopsTheStart() throws Exception {
        Files.writeString(home.resolve("settings"), "gpus = 1\ngpus = 2\n");
        var refusal = assertThrows(StartException.class, this::read);
        assertTrue(refusal.getMessage().contains("line 2: 'gpus' is given twice"));
    }

    @Test
    void badFlagsStopTheStart() {
        assertTrue(
                assertThrows(StartException.class, () -> read("--gpu", "1"))
                        .getMessage()
                        .contains("--gpus"));
        assertThrows(StartException.class, () -> read("--gpus"));
        assertThrows(StartException.class, () -> Settings.read(List.of("--gpus", "1")));
    }

    @Test
    void openPaisFileSystemIsAnAddressAndAFolderOfTheHomeByDefault() throws Exception {
        assertEquals("file:" + home + "/files", read().openPaiFs(home));
        assertEquals(home.resolve("files"), read().openPaiFolder(home));
        Settings shared = read("--openpai-fs", "file:///shared/pai/");
        assertEquals("file:/shared/pai", shared.openPaiFs(home));
        assertEquals(Path.of("/shared/pai"), shared.openPaiFolder(home));
        Settings hadoop = read("--openpai-fs", "hdfs://host:9000");
        assertEquals("hdfs://host:9000", hadoop.openPaiFs(home));
        assertEquals(home.resolve("files"), hadoop.openPaiFolder(home));
        for (String bad : List.of("/shared", "file:/", "file://box/x", "hdfs:/x", "s3://b/x")) {
            var refusal = assertThrows(StartException.class, () -> read("--openpai-fs", bad));
            assertTrue(refusal.getMessage().contains("openpai-fs: "), refusal.getMessage());
        }
    }
}
