package fairlead.engines.local.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engines.local.CrashingServer;
import fairlead.engines.local.Jobs;
import fairlead.engines.local.LocalEngine;
import fairlead.engines.local.LocalSettings;
import fairlead.job.Container;
import fairlead.job.JobSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * What is found of programs that run containers, and what follows for a job with an image. The
 * programs are stand-ins, which only answer what a search asks for.
 */
class ContainersTest {
    @TempDir Path first;
    @TempDir Path second;

    private void program(Path folder, String name, String script) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String answering(String version, String info) {
        return "case $1 in --version) echo '" + version + "' ;; info) " + info + " ;; esac";
    }

    private Containers find(String program, boolean required) {
        return Containers.find(new ContainerSettings(program, required), first + ":" + second);
    }

    private static JobSpec imaged() {
        var plain = plain();
        var spec = new JobSpec.Edit(plain);
        spec.workingFolder = "/";
        spec.container = new Container(Optional.of("lab/torch:2"), List.of(), List.of());
        return spec.spec();
    }

    private static JobSpec plain() {
        return Jobs.single(CrashingServer.job(1), "/", List.of("true")).job().spec();
    }

    @Test
    void aPodmanThatWorksIsUsedBeforeDocker() throws Exception {
        program(first, "docker", answering("Docker version 28.2.2", "echo 28"));
        program(second, "podman", answering("podman version 4.3.1", "echo amd64"));
        var found = find("", false);
        assertEquals(second.resolve("podman").toString(), found.of(imaged()).orElseThrow().path());
        assertTrue(found.program().orElseThrow().isPodman());
        assertEquals(Optional.empty(), found.of(plain()));
        assertEquals(
                Optional.of("tasks with an image run in containers (podman version 4.3.1)"),
                found.note());
        assertEquals(Optional.empty(), found.passedOver(imaged()));
    }

    @Test
    void whereTheFirstDoesNotWorkTheSecondIsTaken() throws Exception {
        program(first, "podman", answering("podman version 4.3.1", "exit 125"));
        program(first, "docker", answering("Docker version 28.2.2", "echo 28"));
        var found = find("", false);
        assertFalse(found.program().orElseThrow().isPodman());
    }

    @Test
    void theSettingNamesTheProgramOrNone() throws Exception {
        program(first, "podman", answering("podman version 4.3.1", "echo amd64"));
        program(second, "mine", answering("podman version 5", "echo amd64"));
        assertEquals("podman version 5", find("mine", false).program().orElseThrow().version());
        String path = second.resolve("mine").toString();
        assertEquals(path, find(path, false).program().orElseThrow().path());
        assertEquals(Optional.empty(), find("none", false).program());
        assertEquals(Optional.empty(), find("none", false).note());
        assertEquals(
                Optional.of("image lab/torch:2 is ignored: this cluster runs without containers"),
                find("none", false).passedOver(imaged()));
    }

    @Test
    void oneThatDoesNotWorkIsToldInItsOwnWords() throws Exception {
        String words = "echo; echo 'Cannot connect to the Docker daemon.' >&2; exit 1";
        program(first, "docker", answering("Docker version 28.2.2", words));
        var found = find("", false);
        String why = "docker does not work here: Cannot connect to the Docker daemon.";
        assertEquals(Optional.empty(), found.program());
        assertEquals(Optional.of("images are ignored: " + why), found.note());
        assertEquals(
                Optional.of(
                        "image lab/torch:2 is ignored: this cluster runs without containers ("
                                + why
                                + ")"),
                found.passedOver(imaged()));
        assertEquals(Optional.empty(), found.refusal(imaged()));
    }

    @Test
    void requiredImagesRefuseAJobThatWouldRunWithoutItsOwn() throws Exception {
        var found = find("", true);
        assertEquals(
                Optional.of(
                        "this cluster has nothing that runs images, and may not run the job without"
                                + " its image: neither podman nor docker is installed"),
                found.refusal(imaged()));
        assertEquals(Optional.empty(), found.refusal(plain()));
        assertEquals(Optional.empty(), found.note());
        program(first, "podman", answering("podman version 4.3.1", "echo amd64"));
        assertEquals(Optional.empty(), find("", true).refusal(imaged()));
    }

    @Test
    void anEngineTellsWhetherItRunsImages() throws Exception {
        program(first, "podman", answering("podman version 4.3.1", "echo amd64"));
        for (String name : List.of(first.resolve("podman").toString(), "none")) {
            var settings =
                    LocalSettings.at(second.resolve("home"))
                            .withContainers(new ContainerSettings(name, true));
            try (var engine = LocalEngine.open(settings)) {
                boolean works = !name.equals("none");
                assertEquals(works, engine.runsImages());
                assertTrue(engine.runsHere());
                assertEquals(works, engine.refuses(imaged()).isEmpty());
                assertEquals(works ? 0 : 1, engine.warnings(imaged()).size());
            }
        }
    }
}
