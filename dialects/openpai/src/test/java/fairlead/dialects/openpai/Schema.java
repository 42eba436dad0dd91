package fairlead.dialects.openpai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What OpenPAI's schema forbids, said a second time over another reader's JSON, for the fuzz test:
 * whatever our reader takes must pass here. Checks nothing that only our own bounds forbid.
 */
final class Schema {
    private static final JsonMapper STRICT =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build();
    private static final JsonMapper OF_FILES =
            STRICT.rebuild()
                    .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
                    .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
                    .build();
    static final Set<String> JOB =
            Set.of(
                    "jobName",
                    "image",
                    "authFile",
                    "dataDir",
                    "outputDir",
                    "codeDir",
                    "virtualCluster",
                    "taskRoles",
                    "gpuType",
                    "retryCount",
                    "jobEnvs",
                    "extras",
                    "killAllOnCompletedTaskNumber");
    static final Set<String> ROLE =
            Set.of(
                    "name",
                    "taskNumber",
                    "cpuNumber",
                    "memoryMB",
                    "shmMB",
                    "gpuNumber",
                    "portList",
                    "command",
                    "minFailedTaskCount",
                    "minSucceededTaskCount");

    private Schema() {}

    /**
     * Checks what was made of a file that was taken: strict JSON, nothing forbidden in it, and the
     * same data as in the file.
     */
    static void check(String file, String submitted) throws JsonProcessingException {
        JsonNode job = STRICT.readTree(submitted);
        check(job);
        // Jackson wants no control characters in comments; inside texts nobody takes them.
        String plain = file.replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]", " ");
        require(job.equals(OF_FILES.readTree(plain)), "the file says something else");
    }

    private static void check(JsonNode job) {
        known(job, JOB);
        require(job.path("jobName").asText().matches("(?!\\.\\.?$)[A-Za-z0-9._~-]+"), "jobName");
        require(job.path("jobName").isTextual(), "jobName");
        text(job, "image", true);
        for (String name :
                new String[] {"authFile", "dataDir", "outputDir", "codeDir", "gpuType"}) {
            text(job, name, false);
        }
        text(job, "virtualCluster", false);
        optional(job, "retryCount", count -> require(whole(count) >= -2, "retryCount"));
        optional(job, "killAllOnCompletedTaskNumber", Schema::whole);
        optional(job, "jobEnvs", Schema::envs);
        optional(job, "extras", extras -> require(extras.isObject(), "extras"));
        JsonNode roles = job.path("taskRoles");
        require(roles.isArray() && !roles.isEmpty(), "taskRoles");
        var names = new HashSet<String>();
        for (JsonNode role : roles) {
            role(role);
            require(names.add(role.get("name").asText()), "two roles of one name");
        }
    }

    private static void envs(JsonNode envs) {
        require(envs.isObject(), "jobEnvs");
        envs.fieldNames()
                .forEachRemaining(name -> require(name.matches("[\\w.~-]*\\w[\\w.~-]*"), name));
    }

    private static void role(JsonNode role) {
        known(role, ROLE);
        text(role, "name", true);
        require(role.get("name").asText().matches("[A-Za-z0-9._~]+"), "name");
        long tasks = whole(role.path("taskNumber"));
        require(tasks >= 1, "taskNumber");
        require(whole(role.path("cpuNumber")) >= 1, "cpuNumber");
        long memory = whole(role.path("memoryMB"));
        require(memory >= 100, "memoryMB");
        require(whole(role.path("gpuNumber")) >= 0, "gpuNumber");
        require(memory >= (role.has("shmMB") ? whole(role.get("shmMB")) : 64), "shmMB");
        text(role, "command", true);
        for (String name : new String[] {"minFailedTaskCount", "minSucceededTaskCount"}) {
            if (!role.has(name) || role.get(name).isNull()) continue;
            long count = whole(role.get(name));
            require(count >= 1 && count <= tasks, name);
        }
        optional(
                role,
                "portList",
                ports -> {
                    require(ports.isArray(), "portList");
                    ports.forEach(Schema::port);
                });
    }

    private static void port(JsonNode port) {
        known(port, Set.of("label", "beginAt", "portNumber"));
        text(port, "label", true);
        require(port.get("label").asText().matches("[A-Za-z0-9._~]+"), "label");
        optional(port, "beginAt", begin -> require(whole(begin) >= 0, "beginAt"));
        optional(port, "portNumber", count -> require(whole(count) >= 1, "portNumber"));
    }

    private static void known(JsonNode object, Set<String> names) {
        require(object.isObject(), "not an object");
        object.fieldNames().forEachRemaining(name -> require(names.contains(name), name));
    }

    private static void text(JsonNode object, String name, boolean isNeeded) {
        if (!object.has(name) && !isNeeded) return;
        JsonNode text = object.path(name);
        require(text.isTextual() && !(isNeeded && text.asText().isEmpty()), name);
    }

    private static void optional(JsonNode object, String name, Consumer<JsonNode> check) {
        if (object.has(name)) check.accept(object.get(name));
    }

    /** The number, or the number in the text. */
    private static long whole(JsonNode node) {
        require(node.isNumber() || node.isTextual(), "no number: " + node);
        return new BigDecimal(node.asText().strip()).longValueExact();
    }

    private static void require(boolean holds, String what) {
        if (!holds) throw new AssertionError("taken, but forbidden: " + what);
    }
}
