package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** What a job may say: items O1 to O15. Messages are those of OpenPAI's server. */
class JobSchemaTest {
    private static String problem(String text) {
        return assertThrows(Invalid.class, () -> Jobs.read(text)).getMessage();
    }

    /** A mistake in the first role, without the words around it. */
    private static String roleProblem(String name, String value) {
        String problem = problem(Jobs.withRole(name, value));
        String before =
                "child \"taskRoles\" fails because [\"taskRoles\" at position 0 fails because [";
        assertTrue(problem.startsWith(before), problem);
        return problem.substring(before.length(), problem.length() - 2);
    }

    private static String child(String name, String problem) {
        return "child \"" + name + "\" fails because [\"" + name + "\" " + problem + "]";
    }

    @Test
    void o01EveryFieldIsRead() throws Invalid {
        var job =
                Jobs.read(
                        """
                        {"jobName": "j", "image": "i", "authFile": "a", "dataDir": "d",
                         "outputDir": "o", "codeDir": "c", "virtualCluster": "vc",
                         "taskRoles": [{"name": "r", "taskNumber": 3, "cpuNumber": 4,
                            "memoryMB": 500, "shmMB": 100, "gpuNumber": 2,
                            "portList": [{"label": "web", "beginAt": 8000, "portNumber": 2}],
                            "command": "run", "minFailedTaskCount": 2,
                            "minSucceededTaskCount": 3}],
                         "gpuType": "K80", "retryCount": 5, "jobEnvs": {"foo": 1, "bar": "x"}}
                        """);
        var role =
                new PaiTaskRole(
                        "r",
                        3,
                        4,
                        500,
                        100,
                        2,
                        List.of(new PaiPort("web", 8000, 2)),
                        "run",
                        OptionalInt.of(2),
                        OptionalInt.of(3));
        assertEquals(
                new PaiJob(
                        "j",
                        "i",
                        "a",
                        "d",
                        "o",
                        "c",
                        "vc",
                        List.of(role),
                        "K80",
                        5,
                        Map.of("foo", "1", "bar", "x"),
                        false),
                job);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A-b.c_d~e", "0", "~", "-x"})
    void o02JobNamesMayHaveATilde(String name) throws Invalid {
        String text = Jobs.job("").replace("sample", name);
        assertEquals(name, Jobs.read(text).jobName());
    }

    @ParameterizedTest
    @CsvSource({
        "'a b', 'a b'",
        "'a/b', 'a/b'",
        "'ä',   'ä'",
    })
    void o02OtherCharactersAreRefusedInJobNames(String name, String shown) {
        assertEquals(
                child(
                        "jobName",
                        "with value \""
                                + shown
                                + "\" fails to match the required pattern:"
                                + " /^[A-Za-z0-9\\-._~]+$/"),
                problem(Jobs.job("").replace("sample", name)));
    }

    @Test
    void o02AJobHasAName() {
        assertEquals(
                child("jobName", "is required"),
                problem("{\"image\": \"i\", \"taskRoles\": [" + Jobs.ROLE + "]}"));
        assertEquals(
                child("jobName", "is not allowed to be empty"),
                problem(Jobs.job("").replace("sample", "")));
        String tooLong = "x".repeat(JobSchema.NAME_CHARS_MAX + 1);
        assertEquals(
                child("jobName", "length must be less than or equal to 255 characters long"),
                problem(Jobs.job("").replace("sample", tooLong)));
    }

    @Test
    void o03AnImageIsNeeded() {
        assertEquals(
                child("image", "is required"),
                problem("{\"jobName\": \"j\", \"taskRoles\": [" + Jobs.ROLE + "]}"));
        assertEquals(
                child("image", "is not allowed to be empty"),
                problem(Jobs.job("").replace("busybox", "")));
        assertEquals(
                child("image", "must be a string"),
                problem(Jobs.job("").replace("\"busybox\"", "7")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"authFile", "dataDir", "outputDir", "codeDir", "gpuType"})
    void o03TheOtherTextsMayBeEmptyOrMissing(String field) throws Invalid {
        PaiJob without = Jobs.read(Jobs.job(""));
        assertEquals(without, Jobs.read(Jobs.job("\"" + field + "\": \"\"")));
        assertEquals(
                List.of("", "", "", "", ""),
                List.of(
                        without.authFile(),
                        without.dataDir(),
                        without.outputDir(),
                        without.codeDir(),
                        without.gpuType()));
        assertEquals(
                child(field, "must be a string"), problem(Jobs.job("\"" + field + "\": null")));
    }

    @Test
    void o04TheVirtualClusterIsDefaultUnlessItIsSaid() throws Invalid {
        assertEquals("default", Jobs.read(Jobs.job("")).virtualCluster());
        assertEquals("default", Jobs.read(Jobs.job("\"virtualCluster\": \"\"")).virtualCluster());
        assertEquals("vc1", Jobs.read(Jobs.job("\"virtualCluster\": \"vc1\"")).virtualCluster());
    }

    @Test
    void o05AJobHasARole() {
        assertEquals(
                child("taskRoles", "must contain at least 1 items"), problem(Jobs.jobOf("", "")));
        assertEquals(
                child("taskRoles", "is required"),
                problem("{\"jobName\": \"j\", \"image\": \"i\"}"));
        assertEquals(
                child("taskRoles", "must be an array"),
                problem("{\"jobName\": \"j\", \"image\": \"i\", \"taskRoles\": {}}"));
        assertEquals(
                "child \"taskRoles\" fails because [\"taskRoles\" at position 0 fails because"
                        + " [\"0\" must be an object]]",
                problem(Jobs.jobOf("3", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "ps_server", "a.b~c", "0"})
    void o05TaskRoleNamesMayHaveDotUnderscoreAndTilde(String name) throws Invalid {
        PaiJob job = Jobs.read(Jobs.withRole("name", "\"" + name + "\""));
        assertEquals(name, job.taskRoles().getFirst().name());
    }

    @Test
    void o05TaskRoleNamesTakeNoHyphen() {
        assertEquals(
                child(
                        "name",
                        "with value \"ps-server\" fails to match the required pattern:"
                                + " /^[A-Za-z0-9._~]+$/"),
                roleProblem("name", "\"ps-server\""));
    }

    @Test
    void o05TwoRolesOfOneNameAreRefused() {
        assertEquals(
                child("taskRoles", "position 1 contains a duplicate value: \"main\" is taken"),
                problem(Jobs.jobOf(Jobs.ROLE + "," + Jobs.ROLE, "")));
    }

    @ParameterizedTest
    @CsvSource({"taskNumber, 1", "cpuNumber, 1", "memoryMB, 100", "gpuNumber, 0"})
    void o06SizesAreNeededAndHaveALeast(String field, int least) throws Invalid {
        Jobs.read(Jobs.withRole(field, Integer.toString(least)));
        assertEquals(child(field, "is required"), roleProblem(field, null));
        assertEquals(
                child(field, "must be larger than or equal to " + least),
                roleProblem(field, Integer.toString(least - 1)));
        assertEquals(child(field, "must be a number"), roleProblem(field, "\"many\""));
        assertEquals(child(field, "must be a number"), roleProblem(field, "null"));
        assertEquals(child(field, "must be a number"), roleProblem(field, "true"));
        assertEquals(child(field, "must be an integer"), roleProblem(field, "150.5"));
    }

    @ParameterizedTest
    @CsvSource({"taskNumber, 10000", "cpuNumber, 65536", "memoryMB, 1073741824", "gpuNumber, 4096"})
    void o06SizesHaveAMost(String field, int most) {
        assertEquals(
                child(field, "must be less than or equal to " + most),
                roleProblem(field, Long.toString(most + 1L)));
        assertEquals(
                child(field, "must be less than or equal to " + most), roleProblem(field, "1e999"));
    }

    @Test
    void o07SharedMemoryIs64AndFitsIntoTheMemory() throws Invalid {
        assertEquals(64, Jobs.read(Jobs.job("")).taskRoles().getFirst().shmMB());
        assertEquals(200, Jobs.read(Jobs.withRole("shmMB", "200")).taskRoles().getFirst().shmMB());
        assertEquals(
                child("shmMB", "must be less than or equal to memoryMB"),
                roleProblem("shmMB", "201"));
    }

    @Test
    void o08PortsHaveALabelAndDefaults() throws Invalid {
        PaiJob job = Jobs.read(Jobs.withRole("portList", "[{\"label\": \"web\"}]"));
        assertEquals(List.of(new PaiPort("web", 0, 1)), job.taskRoles().getFirst().portList());
        assertEquals(List.of(), Jobs.read(Jobs.job("")).taskRoles().getFirst().portList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                                | label | is required",
                "{'label': 'a-b'}  | label | with value \"a-b\" fails to match the required"
                        + " pattern: /^[A-Za-z0-9._~]+$/",
                "{'label': 'a', 'beginAt': -1} | beginAt | must be larger than or equal to 0",
                "{'label': 'a', 'portNumber': 0} | portNumber | must be larger than or equal to 1",
                "{'label': 'a', 'beginAt': 65535, 'portNumber': 2} | beginAt | with portNumber"
                        + " leads beyond port 65535",
            })
    void o08WrongPortsAreRefused(String port, String field, String problem) {
        assertEquals(
                "child \"portList\" fails because [\"portList\" at position 0 fails because ["
                        + child(field, problem)
                        + "]]",
                roleProblem("portList", "[" + port.replace('\'', '"') + "]"));
    }

    @Test
    void o08APortIsGivenOnce() {
        assertEquals(
                child("portList", "position 1 contains a duplicate value: \"a\" is taken"),
                roleProblem("portList", "[{\"label\": \"a\"}, {\"label\": \"a\"}]"));
        assertEquals(
                child("portList", "gives port 8001 to both \"a\" and \"b\""),
                roleProblem(
                        "portList",
                        "[{\"label\": \"b\", \"beginAt\": 8001},"
                                + " {\"label\": \"a\", \"beginAt\": 8000, \"portNumber\": 2}]"));
    }

    @Test
    void o09ACommandIsNeeded() {
        assertEquals(child("command", "is required"), roleProblem("command", null));
        assertEquals(
                child("command", "is not allowed to be empty"), roleProblem("command", "\"\""));
        assertEquals(child("command", "must be a string"), roleProblem("command", "[\"true\"]"));
    }

    @Test
    void o10OneFailureEndsAJobUnlessNullIsSaid() throws Invalid {
        var role = Jobs.read(Jobs.job("")).taskRoles().getFirst();
        assertEquals(OptionalInt.of(1), role.minFailedTaskCount());
        assertEquals(OptionalInt.empty(), role.minSucceededTaskCount());
        role = Jobs.read(Jobs.withRole("minFailedTaskCount", "null")).taskRoles().getFirst();
        assertEquals(OptionalInt.empty(), role.minFailedTaskCount());
        for (String field : List.of("minFailedTaskCount", "minSucceededTaskCount")) {
            assertEquals(
                    child(field, "must be larger than or equal to 1"), roleProblem(field, "0"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"minFailedTaskCount", "minSucceededTaskCount"})
    void o11CountsAreAtMostTheTasks(String field) throws Invalid {
        Jobs.read(Jobs.withRole(field, "2"));
        assertEquals(
                "minFailedTaskCount or minSucceededTaskCount should not be greater than tasks"
                        + " number.",
                problem(Jobs.withRole(field, "3")));
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, -1, 0, 7, 1_000_000})
    void o12RetriesStartAtMinusTwo(int count) throws Invalid {
        assertEquals(count, Jobs.read(Jobs.job("\"retryCount\": " + count)).retryCount());
    }

    @Test
    void o12FewerRetriesMeanNothing() throws Invalid {
        assertEquals(0, Jobs.read(Jobs.job("")).retryCount());
        assertEquals(
                child("retryCount", "must be larger than or equal to -2"),
                problem(Jobs.job("\"retryCount\": -3")));
    }

    @Test
    void o13TheObsoleteFieldIsTakenWithAWarning() throws Invalid {
        assertEquals(
                List.of(
                        "killAllOnCompletedTaskNumber has been obsoleted, please use"
                                + " minFailedTaskCount and minSucceededTaskCount instead."),
                JobFile.ofRequest(Jobs.job("\"killAllOnCompletedTaskNumber\": 2")).warnings());
        assertEquals(List.of(), JobFile.ofRequest(Jobs.job("")).warnings());
    }

    @Test
    void o14JobEnvsTakeAnyValueAsText() throws Invalid {
        PaiJob job =
                Jobs.read(
                        Jobs.job(
                                """
                                "jobEnvs": {"a": 32, "b": "$HOME x", "c": true, "d": null,
                                 "e": 1.50, "f": [1, "y\\n"], "g": {"h": []}, "i": 1e300,
                                 "j": 100, "k-l": "m"}\
                                """));
        assertEquals(
                Map.of(
                        "a",
                        "32",
                        "b",
                        "$HOME x",
                        "c",
                        "true",
                        "d",
                        "",
                        "e",
                        "1.5",
                        "f",
                        "[1,\"y\\n\"]",
                        "g",
                        "{\"h\":[]}",
                        "i",
                        "1E+300",
                        "j",
                        "100",
                        "k-l",
                        "m"),
                job.jobEnvs());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-",
                ".",
                "",
                "a=b",
                "a b",
                "#a",
                "A\\nSERVER_SECRET\\nB",
                "a\\r",
                "a*",
                "`a",
                "\u00e9"
            })
    void o14NamesOfJobEnvsAreNames(String name) {
        assertEquals(
                "child \"jobEnvs\" fails because [\""
                        + name.replaceAll("\\\\.", "?")
                        + "\" is not allowed: a variable's name has letters, digits and . _ ~ -, at"
                        + " least one of them a letter, a digit or _]",
                problem(Jobs.job("\"jobEnvs\": {\"" + name + "\": 1}")));
    }

    @Test
    void o14ANameMayHaveWhatNoShellTakes() throws Invalid {
        String names = "\"jobEnvs\": {\"a.b\": 1, \"-c\": 2, \"~1\": 3, \"_\": 4}";
        assertEquals(
                List.of("a.b", "-c", "~1", "_"),
                List.copyOf(Jobs.read(Jobs.job(names)).jobEnvs().keySet()));
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void o2ANameThatLeadsElsewhereInAPathIsRefused(String name) {
        assertEquals(
                child("jobName", "is not allowed to be . or .."),
                problem(Jobs.job("").replace("\"sample\"", "\"" + name + "\"")));
    }

    @Test
    void whatClientsKeepInExtrasIsTakenSinceVersion11() throws Invalid {
        Jobs.read(Jobs.job("\"extras\": {\"submitFrom\": \"sdk\", \"more\": [1]}"));
        assertEquals(child("extras", "must be an object"), problem(Jobs.job("\"extras\": 1")));
    }

    @Test
    void o14RdmaIsABoolean() throws Invalid {
        String wanted = Jobs.job("\"jobEnvs\": {\"paiAzRDMA\": true}");
        assertTrue(Jobs.read(wanted).rdma());
        String warning = String.join(",", JobFile.ofRequest(wanted).warnings());
        assertTrue(warning.contains("paiAzRDMA has no effect"), warning);
        assertEquals(List.of(), JobFile.ofRequest(Jobs.job("")).warnings());
        assertFalse(Jobs.read(Jobs.job("\"jobEnvs\": {\"paiAzRDMA\": false}")).rdma());
        assertFalse(Jobs.read(Jobs.job("")).rdma());
        for (String other : List.of("1", "null", "\"yes\"")) {
            assertEquals(
                    "child \"jobEnvs\" fails because ["
                            + child("paiAzRDMA", "must be a boolean")
                            + "]",
                    problem(Jobs.job("\"jobEnvs\": {\"paiAzRDMA\": " + other + "}")));
        }
    }

    @Test
    void aMistypedFieldIsNamedWithTheOneThatIsNearest() {
        assertEquals(
                "\"codedir\" is not allowed. Did you mean 'codeDir'?",
                problem(Jobs.job("\"codedir\": \"x\"")));
        String hint = "is required, and \"imagee\" is no field: it may be meant";
        String job = Jobs.job("").replace("\"image\":", "\"imagee\":");
        assertEquals(child("image", hint), problem(job));
        // Each is a field of its own, though only a letter apart.
        assertEquals(child("cpuNumber", "is required"), roleProblem("cpuNumber", null));
    }

    @Test
    void o15UnknownFieldsAreRefusedByName() {
        assertEquals("\"foo\" is not allowed", problem(Jobs.job("\"foo\": 1")));
        assertEquals("\"foo\" is not allowed", roleProblem("foo", "1"));
        assertEquals(
                "child \"portList\" fails because [\"portList\" at position 0 fails because"
                        + " [\"foo\" is not allowed]]",
                roleProblem("portList", "[{\"label\": \"a\", \"foo\": 1}]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"4\"", "\" 4 \"", "\"4.0\"", "4.0", "\"+4\"", "\"0.4e1\"", "4e0"})
    void o15NumericTextsAreConverted(String four) throws Invalid {
        assertEquals(
                4, Jobs.read(Jobs.withRole("cpuNumber", four)).taskRoles().getFirst().cpuNumber());
    }

    @Test
    void theJobMustBeAnObject() {
        assertEquals("\"value\" must be an object", problem("[]"));
        assertEquals("\"value\" must be an object", problem("null"));
    }

    @Test
    void aJobWhoseVariablesCouldNeverFitIsRefused() throws Invalid {
        Jobs.read(Jobs.withRole("taskNumber", "2000"));
        assertEquals(
                "PAI_TASK_ROLE_main_HOST_LIST would be too long for a variable: 5000 tasks in one"
                        + " role are too many",
                problem(Jobs.withRole("taskNumber", "5000")));
        String many = Jobs.ROLE.replace("\"taskNumber\": 2", "\"taskNumber\": 2500");
        assertTrue(
                problem(
                                Jobs.jobOf(
                                        many
                                                + ","
                                                + many.replace("main", "a")
                                                + ","
                                                + many.replace("main", "b"),
                                        ""))
                        .endsWith("as each gets the ports of all; the limit is 1048576"));
    }
}
