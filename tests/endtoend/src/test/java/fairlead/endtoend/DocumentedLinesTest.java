package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;

import fairlead.engines.azureml.TestService;
import fairlead.storage.StorageException;
import fairlead.storage.azureblob.Azurite;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The command lines of the documents of ACT and of Philly, as they are written there, typed one
 * after the other in one folder by somebody whose {@code a} is fairlead and whose {@code p} is
 * {@code fairlead p}, with code and data in blob containers and a cluster of 8 GPUs. Only the ids
 * of jobs are other ones: those of the jobs at hand. Then what opens the containers, and the lines
 * of ACT with a config file that has no line of ours: those jobs go to a service that takes only
 * what the specification of Azure ML allows.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DocumentedLinesTest {
    /** The document's own example, but for where the cluster and the container are. */
    private static final String CONFIG =
            """
            azure_blob_config_file: null # no need to specify, legacy option
            datastore_name: null # no need to specify. legacy option
            # used to initialize the workspace
            aml_config: aux_data/aml/config.json\s

            engine: local

            config_param:\s
               code_path:
                   azure_blob_config_file: ./aux_data/configs/ACCOUNT.yaml # the blob account information
                   path: path/to/code.zip # where the zipped source code is
               data_folder:
                   azure_blob_config_file: ./aux_data/configs/ACCOUNT.yaml # the blob account information
                   # after the source code is unzipped, this folder will be as $ROOT/data
                   path: path/to/data
               output_folder:
                   azure_blob_config_file: ./aux_data/configs/ACCOUNT.yaml # the blob account information
                   path: path/to/output # this folder will be as $ROOT/output
            # if False, it will use AML's PyTorch estimator, which is not heavily tested here
            use_custom_docker: true
            compute_target: NC24RSV3\s
            # if it is the ITP cluster, please set it as true
            aks_compute: false
            docker:
                # the custom docker. If use_custom_docker is False, this will be ignored
                image: amsword/setup:py36pt16
            experiment_name: experiment_name
            use_cli_auth: True
            multi_process: True
            gpu_per_node: 4
            env:
               NCCL_IB_DISABLE: '0'
            zip_options:
                - '-x'
                - '\\*src/py-faster-rcnn/\\*'
                - '-x'
                - '\\*src/CMC/\\*'
                - '-x'
                - 'data/\\*'
                - '-x'
                - 'assets/\\*'
            """;

    private static final String PHILLY =
            """
            vc: input
            cluster: wu1
            #cluster: sc2
            user_name: jianfw
            password: null
            engine: local
            blob_mount_point: /blob
            azure_blob_config_file: ./aux_data/configs/vigeastblob_account.yaml
            multi_process: true
            config_param:
                # please make sure each path starts with blob_mount_point
                #code_path: /hdfs/input/jianfw/code/quickdetection.zip
                code_path: /blob/jianfw/code/quickdetection.zip
                data_folder: /blob/jianfw/data/qd_data
                #data_folder: /hdfs/input/jianfw/data/qd_data
                model_folder: /blob/jianfw/work/qd_models
                output_folder: /blob/jianfw/work/qd_output
            docker:
                image: philly/jobs/test/vig-qd-env
                tag: py36ptnight
            """;

    private static final String TRAIN =
            """
            import os, sys
            rank = os.environ['OMPI_COMM_WORLD_RANK']
            print('trains on', os.environ['OMPI_COMM_WORLD_SIZE'], sys.argv[1:], flush=True)
            if 'NCCL_IB_DISABLE' in os.environ: print('NCCL_IB_DISABLE is set', flush=True)
            data = 'data/voc20/train.txt'
            if os.path.exists(data): print('reads', open(data).read().strip(), flush=True)
            open('output/rank-' + rank, 'w').write('done')
            """;

    /** A key opens this one, and its names are such as people have. */
    private static final String BY_KEY =
            """
            engine: local
            config_param:
              code_path: {azure_blob_config_file: ACCOUNT, path: ann/code one.zip}
              data_folder: {azure_blob_config_file: ACCOUNT, path: ann/data}
              output_folder: {azure_blob_config_file: ACCOUNT, path: ann/output}
            """;

    private static final String BY_KEY_PROGRAM =
            """
            import os
            words = open('data/voc 20/ü.txt', encoding='utf-8').read()
            open('output/words', 'w').write(words + ' was read')
            print(dict(os.environ))
            """;

    @TempDir static Path folder;
    private static Installation fairlead;
    private static Azurite azurite;
    private static TestService azure;
    private static Path work;
    private static Path programs;

    /** A job that has trained and ended well. */
    private static String trained;

    @BeforeAll
    static void start() throws IOException, StorageException {
        azurite = Azurite.start(Files.createDirectories(folder.resolve("blobs")));
        azurite.container("east");
        azurite.container("west");
        azure = TestService.start(Files.createDirectories(folder.resolve("azure")));
        fairlead =
                Installation.withSettings(
                        folder.resolve("home"),
                        "gpus = 8",
                        "stop-grace = 1s",
                        "azure-cloud = " + azure.cloud());
        work = Files.createDirectories(folder.resolve("work"));
        programs = Files.createDirectories(folder.resolve("programs"));
        // A machine of the tests has no GPU, and not everywhere a program called python.
        program("nvidia-smi", "echo this is nvidia-smi");
        program("python", "exec python3 \"$@\"");
        program("cmd", "echo this is cmd");
        program(
                "az",
                "echo '{\"accessToken\": \"token-1\", \"expiresOn\": \"2099-01-01"
                        + " 00:00:00.000000\"}'");
        file("aux_data/configs/vigeastblob_account.yaml", account("east", "sas_token: " + sas()));
        file(
                "aux_data/configs/vigblob_account.yaml",
                account("west", "account_key: " + Azurite.KEY));
        file("aux_data/aml/config.json", AZURE);
        for (String cluster : List.of("aml", "c1", "c2", "eu"))
            file("aux_data/aml/" + cluster + ".yaml", config("vigeastblob_account"));
        file("aux_data/aml/we3v32.yaml", config("vigblob_account"));
        file("aux_data/configs/multi_philly_vc.yaml", "clusters:\n    - wu1\n    - sc2\n");
        file("aux_data/configs/philly_vc.yaml", PHILLY);
        file("train.py", TRAIN);
        file("scripts/train.py", TRAIN);
        file("src/CMC/large.bin", "not for the cluster");
        file("data/voc20/train.txt", "twenty classes");
        file("data/voc20/test.txt", "x");
        file("data/coco/train.txt", "eighty classes");
    }

    private static final String AZURE =
            """
            {
                "subscription_id": "xxxx",
                "resource_group": "xxxxx",
                "workspace_name": "xxxxx"
            }
            """;

    @AfterAll
    static void stop() {
        if (fairlead != null) fairlead.close();
        if (azurite != null) azurite.close();
        if (azure != null) azure.close();
    }

    private static String sas() {
        return azurite.sas(Duration.ofHours(1), "rwdlac");
    }

    private static String account(String container, String secret) {
        return "account_name: %s\n%s\ncontainer_name: %s\nendpoint: %s\n"
                .formatted(Azurite.ACCOUNT, secret, container, azurite.endpoint());
    }

    private static String config(String account) {
        return CONFIG.replace("ACCOUNT", account);
    }

    private static void file(String name, String text) throws IOException {
        Path file = work.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void program(String name, String line) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Installation.Result type(String line) {
        return fairlead.type(
                "unset AML_LOG_FOLDER; PATH='%s':$PATH; cd '%s'\nalias a=fairlead\nalias p='fairlead p'\n%s"
                        .formatted(programs, work, line));
    }

    /** The id of the job that the line has submitted. */
    private static String submitted(String line) {
        String out = type(line).expect(0).out();
        return out.lines()
                .flatMap(text -> List.of(text.split("\\s+")).stream())
                .filter(word -> word.matches(".+_\\d+_[0-9a-f]{8}"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no id in: " + out));
    }

    private static String logOf(String line) {
        String id = submitted(line);
        fairlead.run("wait", "--timeout", "100s", id).expect(0);
        return fairlead.run("logs", id).expect(0).out();
    }

    private static String suffix(String id) {
        return id.substring(id.length() - 8);
    }

    /** A job that runs until it is aborted. */
    private static String longJob() {
        String id = submitted("a -n 1 submit sleep 1000");
        Eventually.when(
                "the job to run",
                () -> fairlead.run("describe", "--json", id).out().contains("\"running\""));
        return id;
    }

    @Test
    @Order(1)
    void theCodeIsUploadedAndTheSecondTimeOnlyWhatIsNew() {
        String first = type("a init").expect(0).out();
        assertTrue(first.contains("code.zip"), first);
        String again = type("a init").expect(0).out();
        assertTrue(again.contains("sent 0 B"), again);
    }

    @Test
    @Order(2)
    void dataGoesUpIsListedAndComesBack() throws IOException {
        type("a u data/voc20").expect(0);
        String list = type("a ls data/voc20").expect(0).out();
        assertTrue(list.contains("train.txt") && list.contains("total = 15"), list);
        type("a u data/coco").expect(0);
        Files.delete(work.resolve("data/coco/train.txt"));
        type("a d data/coco").expect(0);
        assertEquals("eighty classes", Files.readString(work.resolve("data/coco/train.txt")));
    }

    @Test
    @Order(3)
    void jobsAreSubmitted() {
        assertTrue(logOf("a submit cmd").contains("this is cmd"));
        String smi = logOf("a submit nvidia-smi");
        assertEquals(4, smi.lines().filter(line -> line.contains("this is nvidia-smi")).count());
        trained = submitted("a submit python train.py --data voc20");
        fairlead.run("wait", "--timeout", "100s", trained).expect(0);
        String log = fairlead.run("logs", trained).expect(0).out();
        assertTrue(log.contains("trains on 4 ['--data', 'voc20']"), log);
        assertTrue(log.contains("NCCL_IB_DISABLE is set"), log);
        assertTrue(log.contains("reads twenty classes"), log);
        String output = type("a ls output").expect(0).out();
        assertTrue(output.contains("rank-0") && output.contains("rank-3"), output);
        assertFalse(output.contains("rank-4"), output);
        var eight = type("a -n 8 submit python train.py --data voc20").expect(0);
        assertTrue(eight.err().contains("'local', 8 GPUs on 2 nodes: python"), eight.err());
        String id = eight.out().strip();
        fairlead.run("wait", "--timeout", "100s", id).expect(0);
        log = fairlead.run("logs", id).expect(0).out();
        assertTrue(log.contains("trains on 8 ['--data', 'voc20']"), log);
        output = type("a ls output").expect(0).out();
        assertTrue(output.contains("rank-4") && output.contains("rank-7"), output);
    }

    @Test
    @Order(4)
    void clustersAreSwitched() {
        String log = logOf("a -c c1 submit ls");
        assertTrue(log.contains("train.py"), log);
        assertFalse(log.contains("CMC"), log);
        assertTrue(logOf("a -c c2 submit nvidia-smi").contains("this is nvidia-smi"));
    }

    @Test
    @Order(5)
    void aJobIsQueriedByItsIdAndByItsEnd() {
        String id = trained;
        for (String line : List.of("a query " + id, "a q " + id, "a q " + suffix(id))) {
            String out = type(line).expect(0).out();
            assertTrue(out.contains("trains on 4"), out);
            assertTrue(out.contains("assets/" + id + "/"), out);
            assertTrue(out.contains("{'appID': '" + id + "'"), out);
            assertTrue(out.contains("'status': 'Completed'"), out);
        }
        assertTrue(Files.isDirectory(work.resolve("assets/" + id)));
    }

    @Test
    @Order(6)
    void aJobIsAbortedAndResubmitted() {
        String id = longJob();
        String again = submitted("a resubmit " + id);
        String once = submitted("a resubmit " + suffix(again));
        for (String gone : List.of(id, again)) {
            fairlead.run("wait", gone).expect(1);
            assertTrue(type("a q " + gone).expect(0).out().contains("'status': 'Canceled'"));
        }
        type("a abort " + once).expect(0);
        fairlead.run("wait", once).expect(1);
    }

    @Test
    @Order(7)
    void dataGoesFromOneContainerToAnotherAndIsDeleted() {
        type("a -c we3v32 u data/voc20").expect(0);
        type("a -c eu rm -y data/voc20").expect(0);
        assertFalse(type("a -c eu ls data/voc20").out().contains("train.txt"));
        type("a -c eu -f we3v32 u data/voc20").expect(0);
        assertTrue(type("a -c eu ls data/voc20").expect(0).out().contains("train.txt"));
        // Nobody can be asked here; a terminal would be.
        type("a rm data/coco").expect(2);
        type("a rm -y data/coco").expect(0);
        assertFalse(type("a ls data/coco").out().contains("train.txt"));
    }

    @Test
    @Order(8)
    void p20PhillysLinesWork() {
        type("p init").expect(0);
        assertTrue(logOf("p submit nvidia-smi").contains("this is nvidia-smi"));
        String log = logOf("p submit python scripts/train.py");
        assertTrue(log.contains("trains on 4"), log);
        String debug = submitted("p submit ssh");
        type("p abort " + suffix(debug)).expect(0);
        String larger = submitted("p -n 8 submit ssh");
        type("p abort " + suffix(larger)).expect(0);
        String id = submitted("p submit sleep 1000");
        Eventually.when(
                "the job to run",
                () -> fairlead.run("describe", "--json", id).out().contains("\"running\""));
        for (String line : List.of("p query " + suffix(id), "p q " + suffix(id))) {
            String out = type(line).expect(0).out();
            assertTrue(out.contains("Running"), out);
        }
        String shell = type("echo 'echo in $PWD' | p ssh " + id).expect(0).out();
        assertTrue(shell.contains("in "), shell);
        String again = submitted("p resubmit " + suffix(id));
        type("p abort " + suffix(again)).expect(0);
        fairlead.run("wait", id, again).expect(1);
    }

    private static byte[] archive() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("train.py"));
            zip.write(BY_KEY_PROGRAM.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    @Order(9)
    void aKeyAloneOpensAContainerAndNoAnswerAndNoLogShowsIt() throws IOException {
        BlobContainerClient container =
                azurite.service(Azurite.ACCOUNT).getBlobContainerClient("west");
        container.getBlobClient("ann/code one.zip").upload(BinaryData.fromBytes(archive()));
        container.getBlobClient("ann/data/voc 20/ü.txt").upload(BinaryData.fromString("a picture"));
        file(
                "aux_data/aml/key.yaml",
                BY_KEY.replace("ACCOUNT", "./aux_data/configs/vigblob_account.yaml"));
        String id = submitted("a -c key -n 1 submit python train.py");
        assertEquals(0, fairlead.run("wait", id).code(), fairlead.run("logs", id)::out);
        assertEquals(
                "a picture was read",
                container.getBlobClient("ann/output/words").downloadContent().toString());
        String shown =
                fairlead.run("spec", id).out()
                        + fairlead.run("describe", id, "--json").out()
                        + fairlead.run("query", id).out()
                        + fairlead.run("list", "--all", "--json").out()
                        + fairlead.run("server", "logs").out()
                        + type("a clusters").expect(0).out();
        assertTrue(shown.contains("FAIRLEAD_ACT_SAS_0"), shown);
        assertTrue(shown.contains("azureblob://devstoreaccount1/west/ann/code one.zip"), shown);
        assertFalse(shown.contains("sig="), shown);
        String all = shown + fairlead.run("logs", id).out();
        assertFalse(all.contains(Azurite.KEY), "the key has left the laptop");
    }

    @Test
    @Order(10)
    void aSignatureThatHasEndedIsToldBeforeAnythingIsSent() throws IOException {
        String ended = azurite.sas(Duration.ofHours(-1), "rwdlac");
        file("aux_data/configs/ended_account.yaml", account("east", "sas_token: '" + ended + "'"));
        file("aux_data/aml/ended.yaml", config("ended_account"));
        String problem = type("a -c ended submit ls").expect(4).err();
        assertTrue(
                problem.contains("the sas_token for azureblob://devstoreaccount1/east ended at"),
                problem);
        assertFalse(problem.contains("sig="), problem);
    }

    @Test
    @Order(11)
    void a15OnAComputeOfAzureMlTheSameLinesWork() throws IOException {
        String plain =
                config("vigeastblob_account")
                        .replace("engine: local\n", "")
                        .replace("gpu_per_node: 4", "gpu_per_node: 2");
        assertFalse(plain.contains("engine"), plain);
        file("aux_data/aml/az.yaml", plain);
        var submit = type("a -c az -n 4 submit python3 train.py --data voc20").expect(0);
        assertTrue(submit.err().contains("to 'az', 4 GPUs on 2 nodes: python"), submit.err());
        String id = submit.out().strip();
        int ended = fairlead.run("wait", "--timeout", "60s", id).code();
        assertEquals(0, ended, () -> "" + fairlead.run("why", id) + fairlead.run("logs", id));
        String log = fairlead.run("logs", id).expect(0).out();
        assertTrue(log.contains("trains on 4 ['--data', 'voc20']"), log);
        assertTrue(log.contains("NCCL_IB_DISABLE is set"), log);
        assertTrue(log.contains("reads twenty classes"), log);
        String facts = type("a q " + suffix(id)).expect(0).out();
        assertTrue(facts.contains("trains on 4") && facts.contains("'cluster': 'az'"), facts);
        assertTrue(facts.contains("'status': 'Completed'"), facts);
        assertTrue(
                facts.contains(
                        "https://ml.azure.com/runs/"
                                + id
                                + "-1?wsid=/subscriptions/xxxx/resourcegroups/xxxxx/workspaces/xxxxx"),
                facts);
        assertTrue(type("a -c az q").expect(0).out().contains(id.substring(id.length() - 5)));
        assertTrue(type("a clusters").expect(0).out().contains("azureml"));
        assertEquals(List.of(), azure.mistakes);
    }

    @Test
    @Order(12)
    void aJobThatRunsOnAzureMlIsBlamedResubmittedAndAborted() {
        String id = submitted("a -c az -n 1 submit sleep 1000");
        Eventually.when("it runs", () -> type("a -c az blame").expect(0).out().contains(id));
        String facts = type("a -no-wl q " + id).expect(0).out();
        assertTrue(facts.contains("'status': 'Running'") && !facts.contains("'ssh'"), facts);
        String again = submitted("a resubmit " + id);
        fairlead.run("wait", id).expect(1);
        assertTrue(type("a -no-wl q " + id).expect(0).out().contains("'status': 'Canceled'"));
        type("a abort " + again).expect(0);
        fairlead.run("wait", again).expect(1);
        assertEquals(List.of(), azure.mistakes);
    }
}
