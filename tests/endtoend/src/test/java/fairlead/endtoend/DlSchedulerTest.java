package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The commands of the Kubernetes DL scheduler, typed as its guide has them, on two GPUs. */
class DlSchedulerTest {
    /** As the guide writes a loop; it needs no framework. */
    private static final String SCRIPT =
            """
            import os
            from kubernetesdlprofile import kubeprofiler

            profiler = kubeprofiler.KubeProfiler()
            print("data:", open("/data/numbers.txt").read().strip(), flush=True)
            for epoch in range(profiler.EPOCHS - profiler.EPOCHS_DONE):
                profiler.start_epoch()
                for step in range(profiler.TRAINING_SET_SIZE // profiler.BATCH_SIZE):
                    profiler.measure()
                profiler.end_epoch()
                with open(os.path.join(profiler.root_dir, "epochs.txt"), "a") as file:
                    file.write("%d\\n" % epoch)
            print("done on", profiler.NUM_GPUS, flush=True)
            """;

    @TempDir static Path folder;
    private static Installation fairlead;
    private static Path ann;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 2", "stop-grace = 1s");
        ann = folder.resolve("ann");
        for (String name : List.of("tests", "my snapshots", "datasets", "bin")) {
            Files.createDirectories(ann.resolve(name));
        }
        Files.writeString(ann.resolve("tests/test1.py"), SCRIPT);
        Files.writeString(ann.resolve("datasets/numbers.txt"), "1 2 3\n");
        // The guide's command is 'python', which not every machine has.
        Path python =
                Files.writeString(ann.resolve("bin/python"), "#!/bin/sh\nexec python3 \"$@\"\n");
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    /** What ann types in her home; the commands are on her path. */
    private static Installation.Result type(String line) {
        String commands = Installation.root().resolve("bin").toString();
        String library = Installation.root().resolve("python").toString();
        return fairlead.type(
                "HOME='%1$s' PYTHONPATH='%3$s' PATH=\"%1$s/bin:%2$s:$PATH\"; export HOME PYTHONPATH PATH; cd; %4$s"
                        .formatted(ann, commands, library, line));
    }

    private static void needsMounts() {
        boolean isRoot = fairlead.type("unshare --mount true").code() == 0;
        boolean allowed = fairlead.type("unshare --user --map-root-user --mount true").code() == 0;
        assumeTrue(isRoot || allowed, "not root: this account may not mount anything");
    }

    @Test
    void d1EveryOptionIsStoredWithTheJob() {
        needsMounts();
        String id =
                type("run-scheduler --image_name myimage --script_path /custom/test1.py"
                         + " --custom_dir ~/tests --snapshots_dir 'my snapshots' --batch_size 8"
                         + " --training_set_size 64 --max_epochs 3 --is_single_gpu True"
                         + " --disable_gpu_sharing false --estimated_memory 2048 --port_mapping"
                         + " 18888:18888 --est_nhours 1.5 stored")
                        .expect(0)
                        .out()
                        .strip();
        assertTrue(id.startsWith("stored_"), id);
        String spec = type("fairlead spec " + id).expect(0).out();
        for (String line :
                List.of(
                        "command: [python, /custom/test1.py]",
                        "image: myimage",
                        "ports: [\"18888:18888\"]",
                        "  epochs: 3",
                        "  batchSize: 8",
                        "  trainingSetSize: 64",
                        "  gpusMin: 1",
                        "  gpusMax: 1",
                        "  sharing: true",
                        "  estimatedMemory: \"2G\"",
                        "  estimate: \"1h30m\"")) {
            assertTrue(spec.contains(line + "\n"), line + " is not in\n" + spec);
        }
        assertTrue(spec.contains(ann + "/my snapshots:/snapshots\""), spec);
        String state = type("scheduler-state --nlast 1 --extended").expect(0).out();
        assertTrue(state.startsWith(id), state);
        assertTrue(
                state.matches("(?s).*\\n  estimated_memory +2048\\n  est_nhours +1.5\\n.*"), state);
        type("scheduler-cancel-job " + id);
        fairlead.run("wait", id);
    }

    @Test
    void d2d3AScriptOfTheGuideRunsAndReports() throws IOException {
        needsMounts();
        String id =
                type("run-scheduler trained --script_path=/custom/test1.py --custom_dir=tests"
                                + " --snapshots_dir=\"my snapshots\" --max_epochs=3 --batch_size=8"
                                + " --training_set_size=64 --is_single_gpu=true")
                        .expect(0)
                        .out()
                        .strip();
        type("fairlead wait " + id).expect(0);
        assertEquals("data: 1 2 3\ndone on 1\n", type("scheduler-get-logs " + id).expect(0).out());
        try (var saved = Files.walk(ann.resolve("my snapshots"))) {
            Path epochs =
                    saved.filter(file -> file.endsWith("epochs.txt")).findFirst().orElseThrow();
            assertEquals("0\n1\n2\n", Files.readString(epochs));
        }
        String state = type("scheduler-state --all_users").expect(0).out();
        assertTrue(state.contains(id + "  succeeded"), state);
        assertTrue(state.contains(" 3/3 "), state);
        String profile = type("fairlead profile " + id).expect(0).out();
        assertTrue(profile.contains("\nSpeed-up by GPUs; | is in proportion to them\n"), profile);
        assertEquals(4, type("scheduler-cancel-job " + id).code());
    }

    /** As the scheduler's first guide says, with Python instead of curl. */
    private static String posted(String script) {
        String program =
                """
                import json, os, sys, urllib.request
                home = os.environ["FAIRLEAD_HOME"]
                server = json.load(open(home + "/server.json"))
                body = dict(jobName="posted", scriptPath="/exp/%s", directoryToMount="%s",
                            batchSize=8, trainingSetSize=64, maxEpochs=3, isSingleGPU=True)
                request = urllib.request.Request(server["url"] + "/submit", json.dumps(body).encode(),
                    {"Authorization": "Bearer " + open(home + "/token").read().strip()})
                print(json.load(urllib.request.urlopen(request))["ids"][0])
                """
                        .formatted(script, ann.resolve("exp"));
        return type("python - <<'END'\n" + program + "END").expect(0).out().strip();
    }

    /** The calls of the published library, told its hosts and nothing else: it knows no token. */
    @Test
    void d26d29d31WhatThePublishedLibrarySendsIsUnderstood() throws IOException {
        needsMounts();
        Files.writeString(
                ann.resolve("tests/sends.py"),
                """
                import json, os, urllib.request
                host = os.environ["FAIRLEAD_URL"].split("//")[1]
                job = os.environ["JOB_UUID"]
                def send(path, body=None):
                    request = urllib.request.Request("http://" + host + path + job,
                        None if body is None else json.dumps(body).encode(),
                        {"Content-Type": "application/json"})
                    return urllib.request.urlopen(request).read().decode()
                for done in range(int(os.environ["EPOCHS_TO_BE_DONE"])):
                    print("stop", send("/has_to_stop/"), flush=True)
                    for rank in 0, 1:
                        send("/profiling/", {"jobid": job, "timestamp": "2026-01-01T00:00:00",
                            "iternum": 8, "nodelist": os.environ["NODELIST"], "numgpu": 1,
                            "rank": rank, "meandur": 0.5, "gpumem": 0, "epochDur": 4.0})
                        send("/end_epoch/", {"done": done + 1})
                """);
        String id =
                type("run-scheduler --script_path /custom/sends.py --custom_dir tests --max_epochs"
                                + " 2 --is_single_gpu true sends")
                        .expect(0)
                        .out()
                        .strip();
        type("fairlead wait " + id).expect(0);
        assertEquals("stop 0\nstop 0\n", type("scheduler-get-logs " + id).expect(0).out());
        assertTrue(type("scheduler-state").expect(0).out().contains(" 2/2 "));
        String profile = type("fairlead profile " + id).expect(0).out();
        assertTrue(profile.contains("\n1      1     no      4        0.5     2 "), profile);
    }

    @Test
    void d10d11APostedScriptThatFailsLeavesItsErrorsInItsFolder() throws IOException {
        needsMounts();
        Path exp = Files.createDirectories(ann.resolve("exp"));
        Files.writeString(exp.resolve("bad.py"), "print('begun')\nraise SystemExit('no data')\n");
        Files.writeString(exp.resolve("good.py"), "import os\nprint(os.getcwd())\n");
        String bad = posted("bad.py");
        assertEquals(1, type("fairlead wait " + bad).code());
        assertEquals("no data\n", Files.readString(exp.resolve("errorlog.txt")));
        List<String> lines = type("scheduler-get-logs " + bad).expect(0).out().lines().toList();
        assertEquals(List.of("begun", "no data"), lines.stream().sorted().toList());
        String good = posted("good.py");
        type("fairlead wait " + good).expect(0);
        assertEquals("no data\n", Files.readString(exp.resolve("errorlog.txt")));
        // It has trained without a word, so its log says what to set.
        String log = type("scheduler-get-logs " + good).expect(0).out();
        assertTrue(log.startsWith("/exp\nfairlead: the script has reported no epoch"), log);
        assertTrue(type("fairlead describe " + good).out().contains("KubeProfiler(HOST, HOST)"));
        try (var left = Files.list(exp)) {
            assertEquals(3, left.count(), "no file of a job that has ended");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--batch_size 0",
                "--batch_size 8 --training_set_size 7",
                "--est_nhours 1",
                "--port_mapping 80:80,80:81",
                "--port_mapping 0:80",
                "--port_mapping 70000:80",
                "--max_epochs none",
                "--is_single_gpu",
                "--is_single_gpu perhaps",
                "--script_path /custom/none.py",
                "--custom_dir none",
                "--snapshots_dir tests/test1.py",
                "--batchsize 8",
                "second_name",
            })
    void aMistakeIsToldAndNothingIsSubmitted(String words) {
        var result =
                type(
                        "run-scheduler --script_path /custom/test1.py --custom_dir tests"
                                + " --max_epochs 3 wrong "
                                + words);
        assertEquals(2, result.code(), result.toString());
        assertEquals("", result.out());
        assertEquals(2, result.err().lines().count(), result.err());
        assertFalse(type("scheduler-state --all_users --nlast 100").out().contains("wrong_"));
    }
}
