package fairlead.dialects.dlscheduler;

import fairlead.api.ScriptRequest;
import fairlead.api.spec.SpecBody;
import fairlead.api.spec.TrainingBody;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What was posted to the scheduler's first version, as the job that is meant. */
public final class PostedScript {
    static final String FOLDER = "/exp";
    static final String DATASETS = "/dataset";

    private final ScriptRequest said;

    private PostedScript(ScriptRequest said) {
        this.said = said;
    }

    /**
     * The job that is asked for.
     *
     * @param datasets the user's folder of them, where there is one
     * @param inImage whether it runs inside its image, whose working folder is then its own
     */
    public static SpecBody spec(ScriptRequest said, Optional<Path> datasets, boolean inImage)
            throws Misuse {
        return new PostedScript(said).spec(datasets, inImage);
    }

    private SpecBody spec(Optional<Path> datasets, boolean inImage) throws Misuse {
        String name = needed("jobName", said.jobName());
        String script = needed("scriptPath", said.scriptPath());
        String folder = said.directoryToMount();
        var mounts = new ArrayList<String>();
        if (folder != null) mounts.add(absolute(folder) + ":" + FOLDER);
        datasets.ifPresent(each -> mounts.add(each + ":" + DATASETS));
        var command = List.of("python", script);
        var spec = new SpecBody.Edit();
        spec.name = JobName.legal(name);
        spec.command = folder == null ? command : ErrorLog.kept(command);
        spec.gpus = 1;
        spec.workdir = folder == null || inImage ? null : FOLDER;
        spec.image = said.dockerImage();
        spec.mounts = mounts.isEmpty() ? null : mounts;
        spec.training = training();
        return spec.body();
    }

    private TrainingBody training() throws Misuse {
        if (said.maxEpochs() == null) throw new Misuse("maxEpochs is missing");
        positive("maxEpochs", said.maxEpochs());
        positive("batchSize", said.batchSize());
        positive("trainingSetSize", said.trainingSetSize());
        boolean isSingle = Boolean.TRUE.equals(said.isSingleGPU());
        Long memory = said.estimatedMemory();
        boolean isSize = memory == null || memory > 0 && memory <= RunCommand.MEBIBYTES_MAX;
        if (!isSize) {
            throw new Misuse(
                    "estimatedMemory must be 1 to "
                            + RunCommand.MEBIBYTES_MAX
                            + " MiB, but is "
                            + memory);
        }
        var training = new TrainingBody.Edit();
        training.epochs = said.maxEpochs();
        training.batchSize = said.batchSize();
        training.trainingSetSize = said.trainingSetSize();
        training.gpusMin = 1;
        training.gpusMax = isSingle ? 1 : RunCommand.GPUS_UNLIMITED;
        training.sharing = Boolean.FALSE.equals(said.disableGPUSharing());
        training.estimatedMemory = memory == null ? null : memory + "M";
        return training.body();
    }

    /** In the sender's words: the server knows the fields by other names. */
    private static void positive(String field, Number number) throws Misuse {
        if (number != null && number.longValue() < 1)
            throw new Misuse(field + " must be at least 1, but is " + number);
    }

    private static String needed(String field, String text) throws Misuse {
        if (text == null || text.isBlank()) throw new Misuse(field + " is missing");
        return text;
    }

    private static String absolute(String folder) throws Misuse {
        if (folder.startsWith("/") && !folder.contains(":")) return folder;
        throw new Misuse(
                "directoryToMount must be an absolute path without ':', but is '" + folder + "'");
    }
}
