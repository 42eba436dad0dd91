package fairlead.engines.azureml;

import fairlead.engine.TaskEnvironment;
import fairlead.job.Container;
import fairlead.job.JobSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What runs on Azure's machines. Azure starts the same command for each process of a job and has no
 * field for an exit code, so a script of ours finds the process's task, passes a stop on to it, and
 * says in the last line of its log how it ended.
 */
final class TaskScripts {
    /** The variable with {@link #START}, and the beginning of those with the tasks' own scripts. */
    static final String VARIABLE = "FAIRLEAD_START";

    /** The variable with the word that marks our line in the log. */
    static final String WORD = "FAIRLEAD_END";

    /** The variable with the exit code of a failed task, or 0 where others go on without it. */
    static final String EXITS = "FAIRLEAD_EXITS";

    /** Stands for the first task's host, which nobody knows before the job runs. */
    static final String HEAD = "@fairlead-head@";

    /** A path that Azure has put in the place of an input or output of the job. */
    static final String MOUNT = "FAIRLEAD_MOUNT_";

    /** The command that Azure sees: short, and without what it would take for its own inputs. */
    static final String COMMAND = "eval \"$(printf %s \"$" + VARIABLE + "\" | base64 -d)\"";

    /** What {@link #START} writes before a task's exit code. */
    static final String MARK = "\nfairlead-exit ";

    /** Shells remember a status once: 127 says that the first answer was the right one. */
    static final String START =
            """
            FAIRLEAD_RANK=0
            if [ -n "$FAIRLEAD_START_1" ]; then
                FAIRLEAD_RANK=${RANK:-${OMPI_COMM_WORLD_RANK:-0}}
            fi
            FAIRLEAD_HEAD=${MASTER_ADDR:-${AZ_BATCHAI_MPI_MASTER_NODE:-${AZ_BATCH_MASTER_NODE%%:*}}}
            export FAIRLEAD_HEAD="${FAIRLEAD_HEAD:-localhost}"
            eval "FAIRLEAD_TEXT=\\$FAIRLEAD_START_$FAIRLEAD_RANK"
            FAIRLEAD_TEXT=$(printf %s "$FAIRLEAD_TEXT" | base64 -d)
            sh -c "$FAIRLEAD_TEXT" &
            FAIRLEAD_TASK=$!
            FAIRLEAD_STOPPED=
            trap 'FAIRLEAD_STOPPED=1; kill -TERM "$FAIRLEAD_TASK" 2>/dev/null' TERM INT
            wait "$FAIRLEAD_TASK"
            FAIRLEAD_CODE=$?
            while [ -n "$FAIRLEAD_STOPPED" ] && [ "$FAIRLEAD_CODE" -gt 128 ]; do
                FAIRLEAD_STOPPED=
                wait "$FAIRLEAD_TASK"
                FAIRLEAD_AGAIN=$?
                [ "$FAIRLEAD_AGAIN" = 127 ] || FAIRLEAD_CODE=$FAIRLEAD_AGAIN
            done
            printf '\\nfairlead-exit %s %d\\n' "$FAIRLEAD_END" "$FAIRLEAD_CODE"
            [ "$FAIRLEAD_EXITS" = 0 ] || exit "$FAIRLEAD_CODE"
            exit 0
            """;

    private TaskScripts() {}

    /** The script of one task, which becomes its command. */
    static String task(JobSpec spec, AttemptRecord record, TaskEnvironment variables, int rank) {
        var lines = new StringBuilder();
        var odd = new ArrayList<String>();
        Map<String, String> own = variables.of(rank);
        // A variable of the cluster's own names hosts, of which only the first is known.
        boolean isSpread = record.shape().machines() > 1;
        own.forEach(
                (name, value) -> {
                    if (isSpread && name.endsWith("TF_CONFIG")) return;
                    if (name.matches("[A-Za-z_][A-Za-z0-9_]*"))
                        lines.append("export ")
                                .append(name)
                                .append('=')
                                .append(word(value))
                                .append('\n');
                    else odd.add(word(name + "=" + value));
                });
        lines.append(devices(record, rank));
        List<Container.Mount> mounts = spec.container().mounts();
        for (int i = 0; i < mounts.size(); i++) lines.append(mount(mounts.get(i), i));
        lines.append("unset FAIRLEAD_TEXT FAIRLEAD_HEAD ").append(WORD).append(' ').append(EXITS);
        lines.append(' ').append(VARIABLE);
        for (int i = 0; i < record.tasks().size(); i++) {
            lines.append(' ').append(VARIABLE).append('_').append(i);
        }
        lines.append('\n').append(folder(spec.workingFolder())).append("exec ");
        if (!odd.isEmpty()) lines.append("env ").append(String.join(" ", odd)).append(' ');
        String role = record.tasks().get(rank).id().role();
        lines.append(
                spec.role(role).command().stream()
                        .map(TaskScripts::word)
                        .collect(Collectors.joining(" ")));
        return lines.append('\n').toString();
    }

    /** Several tasks on one machine share its GPUs in the order of their ranks. */
    private static String devices(AttemptRecord record, int rank) {
        int gpus = record.tasks().get(rank).gpus().size();
        int perMachine = record.shape().perMachine();
        if (gpus == 0 || perMachine == 1) return "";
        int first = rank % perMachine * gpus;
        String numbers =
                IntStream.range(first, first + gpus)
                        .mapToObj(String::valueOf)
                        .collect(Collectors.joining(","));
        return "export CUDA_VISIBLE_DEVICES=" + numbers + "\n";
    }

    /** Another task on the machine may have made the same link just now. */
    private static String mount(Container.Mount mount, int index) {
        String target = word(mount.target());
        String parent = word(mount.target().replaceFirst("/+[^/]+/*$", "/"));
        return """
        mkdir -p %s && { rmdir %s 2>/dev/null; ln -sfn "$%s%d" %s || [ -L %s ]; } || {
            echo "fairlead: there can be nothing mounted at "%s >&2
            exit 126
        }
        """
                .formatted(parent, target, MOUNT, index, target, target, target);
    }

    private static String folder(String folder) {
        if (folder.isEmpty()) return "";
        return """
        cd %s 2>/dev/null || echo "fairlead: there is no folder "%s" here; the task begins in $PWD"
        """
                .formatted(word(folder), word(folder));
    }

    /** As one word of a shell, in which the head's name is put in its place. */
    static String word(String text) {
        String quoted = "'" + text.replace("'", "'\\''") + "'";
        return quoted.replace(HEAD, "'\"$FAIRLEAD_HEAD\"'");
    }
}
