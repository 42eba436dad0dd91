package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The lines of Philly's document, typed as they stand there, on a server with eight GPUs. */
class PhillyTest {
    @TempDir static Path folder;
    private static Installation fairlead;
    private static Path work;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 8", "stop-grace = 1s");
        work = Files.createDirectories(folder.resolve("work"));
        Path configs = Files.createDirectories(work.resolve("aux_data/configs"));
        Files.createDirectories(folder.resolve("store/jianfw/data/qd_data"));
        Files.writeString(
                configs.resolve("multi_philly_vc.yaml"), "clusters:\n    - wu1\n    - sc2\n");
        Files.writeString(
                configs.resolve("philly_vc.yaml"),
                """
                vc: input
                cluster: wu1
                #cluster: sc2
                user_name: jianfw
                password: null
                engine: local
                blob_mount_point: /blob
                storage: file:%s
                multi_process: true
                config_param:
                    code_path: /blob/jianfw/code/quickdetection.zip
                    data_folder: /blob/jianfw/data/qd_data
                    output_folder: /blob/jianfw/work/qd_output
                """
                        .formatted(folder.resolve("store")));
        Files.createDirectories(work.resolve("scripts"));
        Files.writeString(
                work.resolve("scripts/train.py"),
                """
                import os, time
                print("data:", os.path.isdir("data"), flush=True)
                while not os.path.exists("%s"): time.sleep(0.01)
                """
                        .formatted(folder.resolve("go")));
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Files.writeString(bin.resolve("python"), "#!/bin/sh\nexec python3 \"$@\"\n");
        Files.writeString(bin.resolve("nvidia-smi"), "#!/bin/sh\necho four GPUs\n");
        for (String name : new String[] {"python", "nvidia-smi"}) {
            assertTrue(bin.resolve(name).toFile().setExecutable(true));
        }
        type("p init").expect(0);
    }

    @AfterAll
    static void stop() throws IOException {
        Files.createFile(folder.resolve("go"));
        fairlead.close();
    }

    /** What somebody types in that folder; the command is on the path. */
    private static Installation.Result type(String line) {
        return fairlead.type(
                "unset AML_LOG_FOLDER; cd '%s'; PATH=\"%s:%s:$PATH\"; export PATH; %s"
                        .formatted(
                                work,
                                folder.resolve("bin"),
                                Installation.root().resolve("bin"),
                                line));
    }

    /** The end of the id of a job that is submitted so. */
    private static String submitted(String line) {
        String id = type(line).expect(0).out().strip();
        assertTrue(id.matches("jianfw_\\d+_[0-9a-f]{8}"), id);
        return id.substring(id.length() - 6);
    }

    private static void await(String job, String text) {
        Eventually.when(text + " of " + job, () -> type("p q " + job).out().contains(text));
    }

    @Test
    void p22ACommandRunsOnFourGpus() {
        String job = submitted("p submit nvidia-smi");
        await(job, "status = Pass");
        String out = type("p query " + job).expect(0).out();
        assertTrue(out.contains("<stdout>:four GPUs\n"), out);
        assertTrue(out.contains(" 'num_gpu': 4,\n"), out);
        assertTrue(out.contains(" 'cluster': 'wu1',\n"), out);
    }

    @Test
    void p9ToP19AJobIsSeenReachedResubmittedAndAborted() {
        String job = submitted("p -n 1 submit python scripts/train.py");
        await(job, "data: True");
        String out = type("p q " + job).expect(0).out();
        assertTrue(out.matches("(?s).*\nstatus = Running\nfairlead p ssh \\S+\nhttp:\\S+\n"), out);
        assertEquals("here\n", type("echo 'echo here' | p ssh " + job).expect(0).out());
        String all = type("p q").expect(0).out();
        assertTrue(all.contains("\nRunning\nappID-s "), all);
        String again = submitted("p resubmit " + job);
        await(job, "status = Killed");
        await(again, "status = Running");
        String aborted = type("p abort " + again).expect(0).out();
        assertTrue(aborted.matches("wu1 jianfw_\\d+_..\\S+\n"), aborted);
        await(again, "status = Killed");
        type("p blame").expect(0);
        assertTrue(type("p summary").expect(0).out().contains("\nsc2 "));
    }

    @Test
    void p21AJobForAShellWaitsUntilItIsAborted() {
        String job = submitted("p -n 8 submit ssh");
        await(job, "status = Running");
        await(job, "<stdout>:aux_data");
        assertEquals("4\n", type("echo 'echo $FAIRLEAD_NUM_GPUS' | p ssh " + job).expect(0).out());
        type("p abort " + job).expect(0);
        await(job, "status = Killed");
    }
}
