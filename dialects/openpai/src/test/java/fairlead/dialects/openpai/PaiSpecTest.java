package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.api.spec.OriginBody;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

class PaiSpecTest {
    private static final String TWO_ROLES =
            """
            {
              "jobName": "_dist~1", "image": "img", "virtualCluster": "vision", "gpuType": "K80",
              "retryCount": -1,
              "jobEnvs": {"LR": 0.1, "odd.name": "x"},
              "taskRoles": [
                {"name": "ps", "taskNumber": 2, "cpuNumber": 2, "memoryMB": 8192, "gpuNumber": 0,
                 "shmMB": 32, "command": "a && b", "minFailedTaskCount": null,
                 "portList": [{"label": "http", "beginAt": 8000}, {"label": "x", "portNumber": 3}]},
                {"name": "worker", "taskNumber": 3, "cpuNumber": 4, "memoryMB": 16384,
                 "gpuNumber": 1, "shmMB": 128, "command": "c", "minSucceededTaskCount": 2}
              ]
            }
            """;

    private static SpecBody spec() throws Invalid {
        return PaiSpec.of(JobFile.ofRequest(TWO_ROLES), "ann");
    }

    @Test
    void o6EachTaskGetsWhatItsRoleAsksFor() throws Invalid {
        SpecBody spec = spec();
        RoleBody ps = spec.roles().getFirst();
        RoleBody worker = spec.roles().getLast();
        assertEquals(List.of("ps", "worker"), List.of(ps.name(), worker.name()));
        assertEquals(List.of(2, 3), List.of(ps.count(), worker.count()));
        assertEquals(List.of(2, 4), List.of(ps.cpus(), worker.cpus()));
        assertEquals(List.of("8192M", "16384M"), List.of(ps.memory(), worker.memory()));
        assertEquals(List.of(0, 1), List.of(ps.gpus(), worker.gpus()));
        assertNull(ps.gpuType(), "it has no GPU to be choosy about");
        assertEquals("K80", worker.gpuType());
        assertEquals("128M", spec.container().shm(), "the largest of all roles");
        assertEquals("img", spec.image());
        assertEquals("vision", spec.project());
    }

    @Test
    void o10NullCountsNeverEndTheJob() throws Invalid {
        RoleBody ps = spec().roles().getFirst();
        RoleBody worker = spec().roles().getLast();
        assertEquals(List.of(0, 0), List.of(ps.minFailed(), ps.minSucceeded()));
        assertEquals(List.of(1, 2), List.of(worker.minFailed(), worker.minSucceeded()));
    }

    @Test
    void o28EveryRoleHasHttpAndSsh() throws Invalid {
        assertEquals(List.of("http:8000:1", "x:0:3", "ssh:0:1"), spec().roles().getFirst().ports());
        assertEquals(List.of("http:0:1", "ssh:0:1"), spec().roles().getLast().ports());
    }

    @Test
    void o14VariablesThatASpecTakesAreInIt() throws Invalid {
        assertEquals(Map.of("LR", "0.1"), spec().env());
    }

    @Test
    void o37RetryCountIsTheLimitOfAPolicyThatKnowsTheUsersExits() throws Invalid {
        assertNull(spec().retries());
        assertEquals(-1, spec().retry().limit());
        assertEquals(
                Map.of(
                        "137", "transient",
                        "143", "transient",
                        "154", "transient",
                        "205", "transient",
                        "206", "permanent"),
                spec().retry().exits());
    }

    @Test
    void o67TheFileGoesAlong() throws Invalid {
        assertEquals("openpai", spec().origin().dialect());
        assertEquals(TWO_ROLES, spec().origin().text());
        assertEquals("ann~_dist~1", spec().origin().key());
        var known = PaiOrigin.known(spec().origin());
        assertEquals("ann", known.user());
        assertEquals(JobFile.ofRequest(TWO_ROLES).job(), known.job());
    }

    @Test
    void o63WhoSaysTheNameElsewhereIsKnownByThat() throws Invalid {
        SpecBody spec = PaiSpec.of(JobFile.ofRequest(TWO_ROLES), "bob", "other");
        assertEquals("other", spec.name());
        assertEquals("bob~other", spec.origin().key());
        assertEquals(TWO_ROLES, spec.origin().text());
        var known = PaiOrigin.known(spec.origin());
        assertEquals("other", known.job().jobName());
        var nobodys = new OriginBody(PaiOrigin.DIALECT, TWO_ROLES, "nobody");
        assertThrows(Invalid.class, () -> PaiOrigin.known(nobodys));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({"mnist, mnist", "_dist~1, dist-1", "a~b, a-b", "-._, job", "..x, x"})
    void o2ANameBecomesOneThatJobsHave(String jobName, String expected) throws Invalid {
        assertEquals(expected, PaiSpec.of(JobFile.ofRequest(TWO_ROLES), "ann", jobName).name());
    }
}
