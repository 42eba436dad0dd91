package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The fields of job files, items O1 to O16, as the server takes and refuses them. A row changes one
 * field of a good file: of the job, of its one role, or of the role's one port.
 */
class JobFieldItemsTest {
    /** As a value: the field is left out. */
    private static final String LEFT_OUT = "-";

    private static final AtomicInteger NAMES = new AtomicInteger();

    @TempDir static Path folder;
    private static TestServer server;
    private static Pai ann;

    @BeforeAll
    static void start() throws Exception {
        server = new TestServer(folder, new TestEngine(2).endingAtOnce());
        ann = Pai.owner(server);
        ann.must(201, "PUT", "/virtual-clusters/vc1", "{\"vcCapacity\": 50}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String file(String where, String field, String value) {
        var port = new LinkedHashMap<>(Map.of("label", "\"web\""));
        var role = new LinkedHashMap<String, String>();
        role.put("name", "\"main\"");
        role.put("taskNumber", "2");
        role.put("cpuNumber", "1");
        role.put("memoryMB", "200");
        role.put("gpuNumber", "0");
        role.put("command", "\"true\"");
        var job = new LinkedHashMap<String, String>();
        job.put("jobName", "\"job" + NAMES.incrementAndGet() + "\"");
        job.put("image", "\"busybox\"");
        if (where.equals("port")) change(port, field, value);
        role.put("portList", "[" + text(port) + "]");
        if (where.equals("role")) change(role, field, value);
        job.put("taskRoles", "[" + text(role) + "]");
        if (where.equals("job")) change(job, field, value);
        return text(job);
    }

    private static void change(Map<String, String> fields, String field, String value) {
        if (value.equals(LEFT_OUT)) fields.remove(field);
        else fields.put(field, value.replace('\'', '"'));
    }

    private static String text(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(each -> "\"" + each.getKey() + "\": " + each.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    @ParameterizedTest(name = "{0}: {1} {2} = {3}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    O1  | job  | authFile | '/a'
                    O1  | job  | dataDir | '/d'
                    O1  | job  | outputDir | '/o'
                    O1  | job  | codeDir | '/c'
                    O1  | job  | virtualCluster | 'vc1'
                    O1  | job  | retryCount | 3
                    O1  | job  | jobEnvs | {'a': 'b'}
                    O2  | job  | jobName | 'A-b.c_d'
                    O2  | job  | jobName | 'with~tilde'
                    O3  | job  | authFile | ''
                    O3  | job  | dataDir | ''
                    O3  | job  | outputDir | ''
                    O3  | job  | codeDir | ''
                    O3  | job  | gpuType | ''
                    O4  | job  | virtualCluster | ''
                    O5  | role | name | 'a.b_c~d'
                    O6  | role | taskNumber | 1
                    O6  | role | cpuNumber | 1
                    O6  | role | memoryMB | 100
                    O6  | role | gpuNumber | 0
                    O7  | role | shmMB | 200
                    O8  | port | beginAt | 0
                    O8  | port | beginAt | 8000
                    O8  | port | portNumber | 3
                    O9  | role | command | 'a && b; echo $HOME'
                    O10 | role | minFailedTaskCount | null
                    O10 | role | minFailedTaskCount | 1
                    O10 | role | minSucceededTaskCount | null
                    O10 | role | minSucceededTaskCount | 1
                    O11 | role | minFailedTaskCount | 2
                    O11 | role | minSucceededTaskCount | 2
                    O12 | job  | retryCount | -2
                    O12 | job  | retryCount | -1
                    O12 | job  | retryCount | 0
                    O13 | job  | killAllOnCompletedTaskNumber | 1
                    O14 | job  | jobEnvs | {'a': 1, 'b-c': [true], 'd': null}
                    O14 | job  | jobEnvs | {'paiAzRDMA': true}
                    O15 | role | cpuNumber | '1'
                    O15 | job  | retryCount | '2'
                    """)
    void o1ToO15WhatOpenPaiTakesIsTakenAndComesBackAsItWas(
            String item, String where, String field, String value) throws Exception {
        String file = file(where, field, value);
        var response = ann.call("POST", "/user/ann/jobs", file);
        assertEquals(202, response.statusCode(), response.body());
        assertEquals(item.equals("O13"), isObsolete(response.headers().map().toString()));
        Object name = JsonTree.object(JsonTree.read(file)).get("jobName");
        var config = ann.call("GET", "/user/ann/jobs/" + name + "/config", null);
        assertEquals(file, config.body());
    }

    private static boolean isObsolete(String headers) {
        return headers.contains("killAllOnCompletedTaskNumber has been obsoleted");
    }

    @ParameterizedTest(name = "{0}: {1} {2} = {3} is refused: {4}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    O2  | job  | jobName | - | "jobName" is required
                    O2  | job  | jobName | '' | "jobName" is not allowed to be empty
                    O2  | job  | jobName | 'a b' | fails to match the required pattern: /^[A-Za-z0-9\\-._~]+$/
                    O3  | job  | image | - | "image" is required
                    O3  | job  | image | '' | "image" is not allowed to be empty
                    O3  | job  | dataDir | 7 | "dataDir" must be a string
                    O5  | job  | taskRoles | - | "taskRoles" is required
                    O5  | job  | taskRoles | [] | "taskRoles" must contain at least 1 items
                    O5  | role | name | - | "name" is required
                    O5  | role | name | 'a-b' | fails to match the required pattern: /^[A-Za-z0-9._~]+$/
                    O6  | role | taskNumber | - | "taskNumber" is required
                    O6  | role | taskNumber | 0 | "taskNumber" must be larger than or equal to 1
                    O6  | role | cpuNumber | 0 | "cpuNumber" must be larger than or equal to 1
                    O6  | role | memoryMB | 99 | "memoryMB" must be larger than or equal to 100
                    O6  | role | gpuNumber | -1 | "gpuNumber" must be larger than or equal to 0
                    O6  | role | cpuNumber | 1.5 | "cpuNumber" must be an integer
                    O7  | role | shmMB | 201 | "shmMB" must be less than or equal to memoryMB
                    O8  | port | label | - | "label" is required
                    O8  | port | label | 'a-b' | fails to match the required pattern
                    O8  | port | beginAt | -1 | "beginAt" must be larger than or equal to 0
                    O8  | port | portNumber | 0 | "portNumber" must be larger than or equal to 1
                    O9  | role | command | - | "command" is required
                    O9  | role | command | '' | "command" is not allowed to be empty
                    O10 | role | minFailedTaskCount | 0 | "minFailedTaskCount" must be larger than or equal to 1
                    O10 | role | minSucceededTaskCount | 0 | "minSucceededTaskCount" must be larger than or equal to 1
                    O11 | role | minFailedTaskCount | 3 | should not be greater than tasks number.
                    O11 | role | minSucceededTaskCount | 3 | should not be greater than tasks number.
                    O12 | job  | retryCount | -3 | "retryCount" must be larger than or equal to -2
                    O14 | job  | jobEnvs | 'a' | "jobEnvs" must be an object
                    O14 | job  | jobEnvs | {'-': 1} | "-" is not allowed
                    O14 | job  | jobEnvs | {'paiAzRDMA': 1} | "paiAzRDMA" must be a boolean
                    O15 | job  | foo | 1 | "foo" is not allowed
                    O15 | role | foo | 1 | "foo" is not allowed
                    O15 | port | foo | 1 | "foo" is not allowed
                    O15 | role | cpuNumber | 'many' | "cpuNumber" must be a number
                    O16 | job  | dataDir | 'a' // comment | JSON
                    O16 | job  | retryCount | 1, | JSON
                    """)
    void o2ToO16WhatOpenPaiRefusesIsRefusedInItsWords(
            String item, String where, String field, String value, String words) throws Exception {
        String file = file(where, field, value);
        Map<String, Object> error = ann.must(400, "POST", "/user/ann/jobs", file);
        assertEquals("InvalidParametersError", error.get("code"), item);
        String message = (String) error.get("message");
        assertTrue(message.contains(words), message);
    }
}
