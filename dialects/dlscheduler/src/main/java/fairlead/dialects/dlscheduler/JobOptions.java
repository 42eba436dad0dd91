package fairlead.dialects.dlscheduler;

import fairlead.api.spec.SpecBody;
import fairlead.api.spec.TrainingBody;
import fairlead.api.words.Amounts;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A spec in the options of {@code run-scheduler}, however the job was submitted. */
public final class JobOptions {
    private static final String NOTHING = "-";
    private static final BigDecimal MEBIBYTE = BigDecimal.valueOf(1L << 20);
    private static final BigDecimal HOUR_MILLIS = BigDecimal.valueOf(3_600_000);

    private final Map<String, String> told = new LinkedHashMap<>();

    private JobOptions() {}

    /**
     * Values by the names of their options, without the dashes, in the order of help.
     *
     * @param written the command as the job's owner wrote it
     */
    public static Map<String, String> of(SpecBody spec, String written) {
        var options = new JobOptions();
        options.container(spec, written);
        options.training(spec.training());
        return options.told;
    }

    private void container(SpecBody spec, String written) {
        List<String> command = ErrorLog.written(command(spec));
        boolean isScript = command.size() == 2 && command.getFirst().equals("python");
        tell(RunCommand.IMAGE_NAME, spec.image());
        if (isScript) tell(RunCommand.SCRIPT_PATH, command.getLast());
        else told.put("command", written);
        tell(RunCommand.CUSTOM_DIR, mounted(spec, Folders.CUSTOM));
        tell(RunCommand.SNAPSHOTS_DIR, mounted(spec, Folders.SNAPSHOTS));
        List<String> ports = spec.ports();
        boolean hasPorts = ports != null && !ports.isEmpty();
        tell(RunCommand.PORT_MAPPING, hasPorts ? String.join(",", ports) : null);
    }

    private static List<String> command(SpecBody spec) {
        if (spec.command() != null) return spec.command();
        boolean hasRole = spec.roles() != null && !spec.roles().isEmpty();
        return hasRole ? spec.roles().getFirst().command() : List.of();
    }

    private static String mounted(SpecBody spec, String target) {
        if (spec.mounts() == null) return null;
        for (String mount : spec.mounts()) {
            String[] parts = mount.split(":");
            if (parts.length > 1 && parts[1].equals(target)) return parts[0];
        }
        return null;
    }

    private void training(TrainingBody training) {
        if (training == null) return;
        tell(RunCommand.BATCH_SIZE, training.batchSize());
        tell(RunCommand.TRAINING_SET_SIZE, training.trainingSetSize());
        tell(RunCommand.MAX_EPOCHS, training.epochs());
        Integer most = training.gpusMax();
        tell(RunCommand.IS_SINGLE_GPU, most != null && most <= 1);
        tell(RunCommand.DISABLE_GPU_SHARING, Boolean.FALSE.equals(training.sharing()));
        tell(RunCommand.ESTIMATED_MEMORY, mebibytes(training.estimatedMemory()));
        tell(RunCommand.EST_NHOURS, hours(training.estimate()));
    }

    private void tell(Choice choice, Object value) {
        told.put(choice.name().substring(2), value == null ? NOTHING : value.toString());
    }

    /** Rounded up, because it is what the job may take. */
    private static String mebibytes(String size) {
        return told(
                size,
                text ->
                        BigDecimal.valueOf(Amounts.bytes(text))
                                .divide(MEBIBYTE, RoundingMode.CEILING));
    }

    private static String hours(String time) {
        return told(
                time,
                text ->
                        BigDecimal.valueOf(Amounts.duration(text).toMillis())
                                .divide(HOUR_MILLIS, 2, RoundingMode.HALF_UP)
                                .stripTrailingZeros());
    }

    /** The text itself where it is none of the server's. */
    private static String told(String text, Function<String, BigDecimal> number) {
        if (text == null) return null;
        try {
            return number.apply(text).toPlainString();
        } catch (IllegalArgumentException _) {
            return text;
        }
    }
}
