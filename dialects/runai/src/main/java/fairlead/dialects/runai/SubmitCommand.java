package fairlead.dialects.runai;

import fairlead.api.spec.SpecBody;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code runai submit [NAME] [flags] --command -- COMMAND...}: one container, on whole GPUs or a
 * part of one. Of {@code submit-mpi} the processes are in one container too, which has the GPUs of
 * all of them, and the command is what starts them.
 */
public final class SubmitCommand {
    /** What Run:ai tries again by default, of training jobs alone. */
    static final int BACKOFF_DEFAULT = 6;

    private static final int BACKOFF_MAX = 1_000;
    private static final int TASKS_MAX = 10_000;
    private static final String NOTEBOOK_IMAGE = "jupyter/scipy-notebook";
    private static final Set<String> MIG_PROFILES =
            Set.of("1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb");

    /** Allows more processes than cores, in the words of Open MPI up to 4 and from 5 on. */
    private static final Map<String, String> MPI =
            Map.of(
                    "OMPI_MCA_rmaps_base_oversubscribe", "1",
                    "PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");

    private final Said said;
    private final Surroundings here;
    private final List<String> warnings = new ArrayList<>();
    private final Pod pod;

    private SubmitCommand(Said said, Surroundings here) {
        this.said = said;
        this.here = here;
        this.pod = new Pod(said, here, warnings);
    }

    /**
     * The job that is asked for.
     *
     * @param values texts by the names of their flags; of a switch any
     * @param words what stands before {@code --}, without the flags
     * @param rest what stands after it
     */
    public static Order read(
            Map<String, List<String>> values,
            List<String> words,
            List<String> rest,
            Surroundings here)
            throws Misuse, Declined {
        return new SubmitCommand(new Said(values), here).order(words, rest);
    }

    private Order order(List<String> words, List<String> rest) throws Misuse, Declined {
        said.atMostOneOf(Flags.GPU, Flags.GPU_MEMORY, Flags.MIG);
        checkMig();
        if (said.has(Flags.TTY) && !said.has(Flags.STDIN)) {
            throw new Misuse("--tty needs --stdin");
        }
        judge();
        String name = name(words);
        String prefix = said.text(Flags.PREFIX);
        if (prefix != null) Names.check(prefix);
        checkOneTask();
        SpecBody body = body(project(), image(), command(rest));
        boolean attach = said.has(Flags.ATTACH);
        return new Order(name, prefix, body.project(), body, List.copyOf(warnings), attach);
    }

    private void checkMig() throws Misuse {
        String profile = said.text(Flags.MIG);
        if (profile == null || MIG_PROFILES.contains(profile)) return;
        throw new Misuse(
                "--mig must be one of "
                        + String.join(", ", MIG_PROFILES.stream().sorted().toList())
                        + ", but is '"
                        + profile
                        + "'");
    }

    private void judge() throws Misuse {
        for (Flag flag : Flags.ALL) {
            if (!said.has(flag)) continue;
            switch (flag.meaning(here.images())) {
                case Flag.Meaning.Honoured _ -> {}
                case Flag.Meaning.Ignored(String why) ->
                        warnings.add(flag.name() + " is ignored: " + why);
                case Flag.Meaning.Refused(String instead) ->
                        throw new Misuse(flag.name() + " is not possible here: " + instead);
            }
        }
    }

    private String name(List<String> words) throws Misuse {
        if (words.size() > 1) {
            throw new Misuse(
                    "'" + words.get(1) + "' is one word too many; the command stands after '--'");
        }
        String flag = said.text(Flags.NAME);
        if (flag != null && !words.isEmpty()) {
            throw new Misuse(
                    "the name is said twice: '" + words.getFirst() + "' and --name " + flag);
        }
        String name = words.isEmpty() ? flag : words.getFirst();
        if (name != null) Names.check(name);
        return name;
    }

    private String project() throws Misuse, Declined {
        String project = said.text(Flags.PROJECT);
        if (project != null) return project;
        if (here.project() != null) return here.project();
        throw new Declined(
                "no project is set; define a default one with 'runai config project NAME', or say"
                        + " -p NAME");
    }

    private String image() throws Misuse, Declined {
        String image = said.text(Flags.IMAGE);
        if (image != null) return image;
        if (said.has(Flags.JUPYTER)) return NOTEBOOK_IMAGE;
        throw new Declined("--image is missing: -i IMAGE names it");
    }

    /** Null for the image's own program without arguments. */
    private List<String> command(List<String> rest) throws Misuse {
        if (said.has(Flags.COMMAND)) {
            if (rest.isEmpty()) {
                throw new Misuse("--command needs a command: --command -- python3 train.py");
            }
            List<String> command = ShellWords.of(rest);
            if (rest.size() == 1 && ShellWords.haveOperator(command)) {
                warnings.add("no shell reads the command; say --command -- bash -c 'COMMAND'");
            }
            if (here.images()) return command;
            if (LabScript.isIn(command)) warnings.add(LabScript.warning(command));
            return LabScript.wrapped(command);
        }
        if (said.has(Flags.JUPYTER)) {
            var command = pod.notebook();
            command.addAll(rest);
            return command;
        }
        if (here.images()) return rest.isEmpty() ? null : rest;
        throw new Misuse(
                "the image's own entry point cannot be run here; say the whole command:"
                        + " --command -- python3 train.py");
    }

    private boolean isEntryPoint() {
        return !said.has(Flags.COMMAND) && !said.has(Flags.JUPYTER);
    }

    private void checkOneTask() throws Misuse {
        Integer parallelism = said.whole(Flags.PARALLELISM, 1, TASKS_MAX);
        Integer completions = said.whole(Flags.COMPLETIONS, 1, TASKS_MAX);
        boolean isParallel = parallelism != null && parallelism > 1;
        if (isParallel && completions == null) {
            throw new Misuse("--parallelism above 1 needs --completions");
        }
        if (isParallel && said.has(Flags.INTERACTIVE)) {
            throw new Misuse("--interactive and --parallelism above 1 exclude each other");
        }
        if (isParallel || completions != null && completions > 1) {
            throw new Misuse(
                    "--parallelism and --completions above 1 are not possible here; 'fairlead"
                            + " submit --array 0-9' makes ten jobs, '--tasks 10' one of ten tasks");
        }
    }

    private SpecBody body(String project, String image, List<String> command) throws Misuse {
        boolean interactive = said.has(Flags.INTERACTIVE) || said.has(Flags.JUPYTER);
        if (interactive && said.has(Flags.PREEMPTIBLE)) {
            throw new Misuse(
                    "--interactive and --preemptible exclude each other here; a job that may be"
                            + " preempted is one without --interactive");
        }
        var volumes = new Volumes(here);
        for (String text : said.all(Flags.PVC)) volumes.addClaim(text);
        for (String text : said.all(Flags.VOLUME)) volumes.addVolume(text);
        warnings.addAll(volumes.warnings());
        String memory = memory();
        List<String> ports = pod.ports();
        boolean hasGpuMemory = said.has(Flags.GPU_MEMORY);
        var spec = new SpecBody.Edit();
        spec.cluster = here.cluster();
        spec.project = project;
        spec.interactive = interactive ? true : null;
        spec.command = command;
        spec.gpu = hasGpuMemory ? null : gpu();
        spec.gpuMemory =
                hasGpuMemory ? Size.gpuMemory(Flags.GPU_MEMORY, said.text(Flags.GPU_MEMORY)) : null;
        spec.gpuType = gpuType();
        spec.cpus = cpus();
        spec.memory = memory;
        spec.env = environment();
        spec.retries = retries(interactive);
        spec.workdir = workdir();
        spec.image = image;
        spec.mounts = volumes.mounts().isEmpty() ? null : volumes.mounts();
        spec.ports = ports;
        spec.container = pod.container(memory, isEntryPoint(), ports != null);
        return spec.body();
    }

    private String workdir() throws Misuse {
        String folder = said.text(Flags.WORKING_DIR);
        if (folder == null || !here.images()) return folder == null ? null : here.path(folder);
        if (folder.startsWith("/")) return folder;
        throw new Misuse(
                "--working-dir must be an absolute path inside the image, but is '" + folder + "'");
    }

    /** Machines are told apart by the GPUs that are in them. */
    private String gpuType() throws Misuse {
        String type = said.text(Flags.NODE_TYPE);
        if (type == null) return null;
        if (said.has(Flags.GPU_MEMORY) || !gpu().equals("0")) return type;
        throw new Misuse(
                "--node-type chooses among GPUs, and the job has none; say --gpu, or leave it out");
    }

    /** Without the flag a job has none, as in Run:ai. */
    private String gpu() throws Misuse {
        BigDecimal number = said.number(Flags.GPU);
        if (number == null) return "0";
        int processes = processes();
        if (processes > 1 && number.stripTrailingZeros().scale() > 0) {
            throw new Misuse("--gpu must be whole GPUs for each of several --processes");
        }
        BigDecimal plain = number.multiply(BigDecimal.valueOf(processes)).stripTrailingZeros();
        if (plain.scale() > 0 && plain.compareTo(BigDecimal.ONE) > 0) {
            throw new Misuse(
                    "--gpu must be whole GPUs, or a part of one below 1, but is '"
                            + number.toPlainString()
                            + "'");
        }
        return plain.toPlainString();
    }

    private int processes() throws Misuse {
        Integer processes = said.whole(Flags.PROCESSES, 1, TASKS_MAX);
        if (processes == null) return 1;
        if (said.has(Flags.GPU_MEMORY)) {
            throw new Misuse("--gpu-memory and --processes exclude each other; say --gpu");
        }
        return processes;
    }

    private Integer cpus() throws Misuse {
        BigDecimal asked = said.number(Flags.CPU);
        BigDecimal limit = said.number(Flags.CPU_LIMIT);
        if (asked != null && limit != null && asked.compareTo(limit) != 0) {
            warnings.add("--cpu-limit is ignored: a job is held to --cpu");
        }
        BigDecimal number = asked == null ? limit : asked;
        return number == null ? null : number.setScale(0, RoundingMode.CEILING).intValue();
    }

    private String memory() throws Misuse {
        String asked = said.text(Flags.MEMORY);
        String limit = said.text(Flags.MEMORY_LIMIT);
        String bytes = asked == null ? null : Size.bytes(Flags.MEMORY, asked);
        String most = limit == null ? null : Size.bytes(Flags.MEMORY_LIMIT, limit);
        if (bytes != null && most != null && !bytes.equals(most)) {
            warnings.add("--memory-limit is ignored: a job is held to --memory");
        }
        return bytes == null ? most : bytes;
    }

    private Map<String, String> environment() throws Misuse {
        var environment = new LinkedHashMap<String, String>();
        for (String text : said.all(Flags.ENVIRONMENT)) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new Misuse("--environment must be NAME=VALUE, but is '" + text + "'");
            }
            environment.put(text.substring(0, equals), text.substring(equals + 1));
        }
        if (processes() > 1) MPI.forEach(environment::putIfAbsent);
        return environment;
    }

    /** An interactive job is never tried again. */
    private int retries(boolean interactive) throws Misuse {
        Integer limit = said.whole(Flags.BACKOFF_LIMIT, 0, BACKOFF_MAX);
        if (!interactive) return limit == null ? BACKOFF_DEFAULT : limit;
        if (limit != null && limit > 0) {
            warnings.add("--backoff-limit is ignored: an interactive job is not tried again");
        }
        return 0;
    }
}
