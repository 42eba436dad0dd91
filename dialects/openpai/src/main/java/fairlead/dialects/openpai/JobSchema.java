package fairlead.dialects.openpai;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What a job may say (items O1 to O15). Fields are checked in the order of OpenPAI's schema, and
 * the first mistake is reported.
 */
final class JobSchema {
    static final int NAME_CHARS_MAX = 255;

    /** As for the roles of our own specs; labels become parts of variables' names as well. */
    static final int LABEL_CHARS_MAX = 63;

    /** These four are the bounds of our own specs. */
    static final int ROLES_MAX = 100;

    static final int TASKS_MAX = 10_000;
    static final int CPUS_MAX = 65_536;
    static final int GPUS_MAX = 4_096;

    /** A pebibyte. */
    static final int MEMORY_MB_MAX = 1 << 30;

    static final int MEMORY_MB_MIN = 100;
    static final int SHM_MB_DEFAULT = 64;

    /** More tries than a year has minutes; below it no counter overflows. */
    static final int RETRIES_MAX = 1_000_000;

    /** Linux gives out some 28,000 in all. */
    static final int PORTS_PER_TASK_MAX = 1_000;

    static final int PORT_MAX = 65_535;
    static final int ENVS_MAX = 1_000;

    /** Linux takes no longer argument or variable (MAX_ARG_STRLEN less the NUL). */
    static final int ARGUMENT_BYTES_MAX = 128 * 1024 - 1;

    private static final String OBSOLETE = "killAllOnCompletedTaskNumber";
    private static final String RDMA = "paiAzRDMA";
    private static final Pattern JOB_NAME = Pattern.compile("[A-Za-z0-9\\-._~]+");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._~]+");

    /**
     * More than shells take, but nothing that ends a line of a file of variables or means something
     * there.
     */
    private static final Pattern VARIABLE = Pattern.compile("[.~-]*[A-Za-z0-9_][A-Za-z0-9._~-]*");

    private final PaiJob job;
    private final List<String> warnings = new ArrayList<>();

    JobSchema(Object tree) throws Invalid {
        job = job(Fields.of(tree, "value"));
        VariablesSize.check(job);
    }

    PaiJob job() {
        return job;
    }

    List<String> warnings() {
        return warnings;
    }

    private PaiJob job(Fields fields) throws Invalid {
        String jobName = fields.matching("jobName", JOB_NAME, NAME_CHARS_MAX);
        if (isDots(jobName)) {
            throw Invalid.field("jobName", "is not allowed to be . or ..").inChild("jobName");
        }
        String image = fields.neededAddress("image");
        String authFile = fields.optionalText("authFile");
        String dataDir = fields.optionalText("dataDir");
        String outputDir = fields.optionalText("outputDir");
        String codeDir = fields.optionalText("codeDir");
        List<PaiTaskRole> roles = roles(fields.neededList("taskRoles", ROLES_MAX));
        String gpuType = fields.optionalText("gpuType");
        if (fields.has(OBSOLETE)) {
            fields.needed(OBSOLETE, Integer.MIN_VALUE, Integer.MAX_VALUE);
            warnings.add(
                    OBSOLETE
                            + " has been obsoleted, please use minFailedTaskCount and"
                            + " minSucceededTaskCount instead.");
        }
        String cluster = fields.optionalText("virtualCluster");
        int retryCount = fields.optional("retryCount", 0, -2, RETRIES_MAX);
        Map<?, ?> given = fields.optionalObject("jobEnvs");
        Map<String, String> envs = envs(given);
        boolean rdma = rdma(given);
        if (rdma) {
            warnings.add(
                    "jobEnvs.paiAzRDMA has no effect here: the devices of Azure's RDMA are not"
                            + " brought into tasks, so they talk over the network as others do.");
        }
        // What clients keep there for themselves; OpenPAI has it since version 0.11.
        fields.optionalObject("extras");
        fields.end();
        for (int i = 0; i < roles.size(); i++) checkCounts(roles.get(i), i);
        return new PaiJob(
                jobName,
                image,
                authFile,
                dataDir,
                outputDir,
                codeDir,
                cluster.isEmpty() ? PaiJob.DEFAULT_VIRTUAL_CLUSTER : cluster,
                roles,
                gpuType,
                retryCount,
                envs,
                rdma);
    }

    /** A name that is a part of a path must not lead elsewhere. */
    private static boolean isDots(String name) {
        return name.equals(".") || name.equals("..");
    }

    private static List<PaiTaskRole> roles(List<?> entries) throws Invalid {
        var roles = new ArrayList<PaiTaskRole>();
        var names = new HashSet<String>();
        int tasks = 0;
        try {
            for (int i = 0; i < entries.size(); i++) {
                PaiTaskRole role;
                try {
                    role = role(Fields.of(entries.get(i), Integer.toString(i)));
                } catch (Invalid invalid) {
                    throw invalid.atPosition("taskRoles", i);
                }
                // OpenPAI let the later role silently take the place of the earlier one.
                if (!names.add(role.name())) throw duplicate("taskRoles", i, role.name());
                roles.add(role);
                tasks += role.taskNumber();
            }
            if (tasks > TASKS_MAX) {
                throw Invalid.field(
                        "taskRoles",
                        "have " + tasks + " tasks together; the limit is " + TASKS_MAX);
            }
        } catch (Invalid invalid) {
            throw invalid.inChild("taskRoles");
        }
        return roles;
    }

    private static PaiTaskRole role(Fields fields) throws Invalid {
        String name = fields.matching("name", LABEL, LABEL_CHARS_MAX);
        if (name.startsWith(".")) {
            throw Invalid.field("name", "must not start with a dot").inChild("name");
        }
        int tasks = fields.needed("taskNumber", 1, TASKS_MAX);
        int cpus = fields.needed("cpuNumber", 1, CPUS_MAX);
        int memory = fields.needed("memoryMB", MEMORY_MB_MIN, MEMORY_MB_MAX);
        int shm = fields.optional("shmMB", SHM_MB_DEFAULT, 0, MEMORY_MB_MAX);
        if (shm > memory) {
            throw Invalid.field("shmMB", "must be less than or equal to memoryMB").inChild("shmMB");
        }
        int gpus = fields.needed("gpuNumber", 0, GPUS_MAX);
        List<PaiPort> ports = ports(fields.optionalList("portList", PORTS_PER_TASK_MAX));
        String command = fields.neededText("command");
        if (command.getBytes(StandardCharsets.UTF_8).length > ARGUMENT_BYTES_MAX) {
            throw Invalid.field(
                            "command",
                            "length must be less than or equal to "
                                    + ARGUMENT_BYTES_MAX
                                    + " bytes long")
                    .inChild("command");
        }
        OptionalInt failed =
                fields.nullable("minFailedTaskCount", OptionalInt.of(1), 1, Integer.MAX_VALUE);
        OptionalInt succeeded =
                fields.nullable("minSucceededTaskCount", OptionalInt.empty(), 1, Integer.MAX_VALUE);
        fields.end();
        return new PaiTaskRole(
                name, tasks, cpus, memory, shm, gpus, ports, command, failed, succeeded);
    }

    private static List<PaiPort> ports(List<?> entries) throws Invalid {
        var ports = new ArrayList<PaiPort>();
        var labels = new HashSet<String>();
        int count = 0;
        try {
            for (int i = 0; i < entries.size(); i++) {
                PaiPort port;
                try {
                    port = port(Fields.of(entries.get(i), Integer.toString(i)));
                } catch (Invalid invalid) {
                    throw invalid.atPosition("portList", i);
                }
                if (!labels.add(port.label())) throw duplicate("portList", i, port.label());
                ports.add(port);
                count += port.portNumber();
            }
            if (count > PORTS_PER_TASK_MAX) {
                throw Invalid.field(
                        "portList",
                        "has " + count + " ports together; the limit is " + PORTS_PER_TASK_MAX);
            }
            FixedRanges.check(ports);
        } catch (Invalid invalid) {
            throw invalid.inChild("portList");
        }
        return ports;
    }

    private static PaiPort port(Fields fields) throws Invalid {
        String label = fields.matching("label", LABEL, LABEL_CHARS_MAX);
        int beginAt = fields.optional("beginAt", 0, 0, PORT_MAX);
        int count = fields.optional("portNumber", 1, 1, PORTS_PER_TASK_MAX);
        fields.end();
        if (beginAt > 0 && beginAt + count - 1 > PORT_MAX) {
            throw Invalid.field("beginAt", "with portNumber leads beyond port " + PORT_MAX)
                    .inChild("beginAt");
        }
        return new PaiPort(label, beginAt, count);
    }

    private static Invalid duplicate(String list, int index, String name) {
        return Invalid.field(
                list,
                "position " + index + " contains a duplicate value: \"" + name + "\" is taken");
    }

    private static Map<String, String> envs(Map<?, ?> given) throws Invalid {
        var envs = new LinkedHashMap<String, String>();
        try {
            if (given.size() > ENVS_MAX) {
                throw Invalid.field(
                        "jobEnvs", "has " + given.size() + " entries; the limit is " + ENVS_MAX);
            }
            for (var entry : given.entrySet()) {
                String name = (String) entry.getKey();
                if (!VARIABLE.matcher(name).matches()) {
                    throw Invalid.field(
                            Invalid.shown(name.replaceAll("\\p{Cntrl}", "?")),
                            "is not allowed: a variable's name has letters, digits and . _ ~ -, at"
                                    + " least one of them a letter, a digit or _");
                }
                envs.put(name, Tree.plain(entry.getValue()));
            }
        } catch (Invalid invalid) {
            throw invalid.inChild("jobEnvs");
        }
        return envs;
    }

    private static boolean rdma(Map<?, ?> given) throws Invalid {
        return switch (given.get(RDMA)) {
            case Boolean wanted -> wanted;
            case String text when text.equals("true") || text.equals("false") ->
                    text.equals("true");
            case null -> {
                if (given.containsKey(RDMA)) throw notBoolean();
                yield false;
            }
            default -> throw notBoolean();
        };
    }

    private static Invalid notBoolean() {
        return Invalid.field(RDMA, "must be a boolean").inChild(RDMA).inChild("jobEnvs");
    }

    private static void checkCounts(PaiTaskRole role, int index) throws Invalid {
        boolean fits =
                role.minFailedTaskCount().orElse(0) <= role.taskNumber()
                        && role.minSucceededTaskCount().orElse(0) <= role.taskNumber();
        if (fits) return;
        throw Invalid.at(
                List.of("taskRoles", index),
                "minFailedTaskCount or minSucceededTaskCount should not be greater than tasks"
                        + " number.");
    }
}
