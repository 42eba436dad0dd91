package fairlead.server.launch;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.launch.LaunchHook;
import fairlead.dialects.act.ActLaunch;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.openpai.PaiLaunch;
import fairlead.job.JobSpec;
import fairlead.job.Limits;
import fairlead.job.Origin;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.SpecException;
import fairlead.server.openpai.SshKeys;
import fairlead.wire.Specs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** What anybody may say of an ACT job's origin, and how a wrong word is answered. */
final class ActOriginTest {
    private static final String GOOD =
            """
            {"config": "aml", "gpus": 8, "nodes": 2, "processesPerNode": 4, "mpi": true,
             "code": {"kind": "blob", "url": "https://a.blob.core.windows.net/c/code.zip",
                      "sas": "FAIRLEAD_ACT_SAS_0"},
             "folders": {"data": {"kind": "file", "path": "/store/data"}},
             "compileArgs": "", "sleepIfFail": false, "sleepIfSucceed": false}
            """;

    private static final LaunchHooks HOOKS =
            new LaunchHooks(
                    List.of(
                            new PaiLaunch("file:/", new SshKeys("secret")),
                            new ActLaunch(Duration.ZERO)));

    private static JobSpec spec(String dialect, String text, String key) {
        var role =
                new Role(
                        Role.MAIN,
                        2,
                        List.of("true"),
                        new Resources(0, 1, 0),
                        OptionalInt.of(1),
                        OptionalInt.empty());
        var spec = new JobSpec.Edit();
        spec.name = "train";
        spec.cluster = "local";
        spec.project = "default";
        spec.roles = List.of(role);
        spec.environment = Map.of("FAIRLEAD_ACT_SAS_0", "?sig=x");
        spec.workingFolder = "/";
        spec.origin = Optional.of(new Origin(dialect, text, key));
        spec.secrets = Set.of("FAIRLEAD_ACT_SAS_0");
        return spec.spec();
    }

    private static SpecException refusal(String dialect, String text, String key) {
        return assertThrows(
                SpecException.class,
                () -> HOOKS.check(spec(dialect, text, key), Optional.of("ann")));
    }

    @Test
    void aJobAsTheCommandLineMakesItIsTaken() {
        var spec = spec("act", GOOD, "");
        assertDoesNotThrow(() -> HOOKS.check(spec, Optional.of("ann")));
        assertEquals(2, ActOrigin.of(Specs.shown(spec)).orElseThrow().nodes());
    }

    @ParameterizedTest(name = "{0} -> {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "\"nodes\": 2 | \"nodes\": 3 | has 3 nodes, but the job has 2 tasks",
                "\"nodes\": 2 | \"nodes\": 0 | must be 1 or more",
                "\"processesPerNode\": 4 | \"processesPerNode\": 99999 | more than 1024 processes",
                "\"mpi\": true | \"mpi\": false | several nodes",
                "\"data\": | \"../data\": | '../data'",
                "\"data\": | \"..\": | '..'",
                "\"data\": | \"a/b\": | 'a/b'",
                "/store/data | store/data | absolute path",
                "https: | ftp: | http or https",
                "code.zip | code.zip?sig=x | without a query",
                "a.blob | me:pw@a.blob | http or https",
                "SAS_0 | SAS_1 | no secret FAIRLEAD_ACT_SAS_1",
                "FAIRLEAD_ACT_SAS_0 | FAIRLEAD_JOB_TOKEN | must name a variable such as",
                "\"kind\": \"file\" | \"kind\": \"tape\" | must be a file with its path",
                "\"gpus\": 8 | \"gpus\": {} | gpus",
                "{\"config\" | [\"config\" | origin.text",
            })
    void aWrongWordIsNamed(String good, String bad, String says) {
        var refusal = refusal("act", GOOD.replace(good, bad), "");
        assertEquals("origin.text", refusal.field());
        assertTrue(refusal.getMessage().contains(says), refusal.getMessage());
    }

    @Test
    void aTextWithoutEndIsRefusedBeforeItIsRead() {
        String text = GOOD.replace("aml", "x".repeat(100_000));
        assertTrue(refusal("act", text, "").getMessage().contains("is longer than"));
    }

    @Test
    void aDialectKnowsHowLongAVariableMayBe() {
        assertEquals(Limits.ARGUMENT_BYTES_MAX, LaunchHook.VARIABLE_BYTES_MAX);
    }

    @Test
    void aKeyIsRefused() {
        assertEquals("origin.key", refusal("act", GOOD, "ann~train").field());
    }

    @Test
    void otherDialectsAreNotKnown() {
        var refusal = refusal("slurm", GOOD, "");
        assertEquals("origin.dialect", refusal.field());
        assertTrue(refusal.getMessage().contains("openpai or act"), refusal.getMessage());
    }
}
