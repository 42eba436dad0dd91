package fairlead.dialects.openpai;

import java.util.LinkedHashMap;
import java.util.Map;

/** Small valid job files for tests; each test changes only what it is about. */
final class Jobs {
    static final String ROLE =
            """
            {"name": "main", "taskNumber": 2, "cpuNumber": 1, "memoryMB": 200, "gpuNumber": 0,
             "command": "true"}\
            """;

    private Jobs() {}

    /** A job of one role, with more fields of the job. */
    static String job(String moreFields) {
        return jobOf(ROLE, moreFields);
    }

    static String jobOf(String roles, String moreFields) {
        return """
        {"jobName": "sample", "image": "busybox", "taskRoles": [%s]%s}\
        """
                .formatted(roles, moreFields.isEmpty() ? "" : ", " + moreFields);
    }

    /** A job whose one role has these fields, given as JSON, instead of or besides its own. */
    static String withRole(String name, String value) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("name", "\"main\"");
        fields.put("taskNumber", "2");
        fields.put("cpuNumber", "1");
        fields.put("memoryMB", "200");
        fields.put("gpuNumber", "0");
        fields.put("command", "\"true\"");
        if (value == null) fields.remove(name);
        else fields.put(name, value);
        var role = new StringBuilder();
        fields.forEach(
                (field, each) ->
                        role.append(role.isEmpty() ? "" : ", ")
                                .append('"')
                                .append(field)
                                .append("\": ")
                                .append(each));
        return jobOf("{" + role + "}", "");
    }

    static PaiJob read(String text) throws Invalid {
        return JobFile.ofRequest(text).job();
    }
}
