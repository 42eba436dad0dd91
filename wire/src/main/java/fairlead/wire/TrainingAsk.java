package fairlead.wire;

import fairlead.api.spec.TrainingBody;
import fairlead.job.GpuPart;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.SpecException;
import fairlead.job.Training;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** The training part of a spec between its two forms. */
final class TrainingAsk {
    private TrainingAsk() {}

    static Optional<Training> read(TrainingBody body, List<Role> roles) {
        if (body == null) return Optional.empty();
        try {
            return Optional.of(read(body, roles.getFirst()));
        } catch (SpecException e) {
            throw e.inside("training");
        }
    }

    private static Training read(TrainingBody body, Role role) {
        SpecException.unless(body.epochs() != null, "epochs", "is missing");
        Resources ask = role.resources();
        SpecException.unless(
                role.count() == 1,
                "gpus",
                "must be those of one task, not of %d; the scheduler spreads them over nodes by itself"
                        .formatted(role.count()));
        SpecException.unless(
                ask.part() instanceof GpuPart.Whole,
                "gpus",
                "must be whole: say estimatedMemory, and the job shares a GPU where that pays");
        int batch = body.batchSize() == null ? 1 : body.batchSize();
        return new Training(
                body.epochs(),
                batch,
                body.trainingSetSize() == null ? batch : body.trainingSetSize(),
                ask.gpus(),
                body.gpusMin() == null ? ask.gpus() : body.gpusMin(),
                body.gpusMax() == null ? ask.gpus() : body.gpusMax(),
                body.sharing() == null || body.sharing(),
                Optional.ofNullable(body.estimatedMemory())
                        .map(text -> Units.bytes(text, "estimatedMemory")),
                Optional.ofNullable(body.estimate()).map(text -> Units.duration(text, "estimate")),
                Optional.ofNullable(body.deadline()).map(TrainingAsk::deadline));
    }

    private static Instant deadline(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException bad) {
            throw new SpecException(
                    "deadline",
                    "must be a time such as 2026-11-15T18:00:00Z, but is '" + text + "'");
        }
    }

    static TrainingBody write(Training training) {
        var body = new TrainingBody.Edit();
        body.epochs = training.epochs();
        body.batchSize = training.batchSize();
        body.trainingSetSize = training.trainingSetSize();
        body.gpusMin = training.gpusMin();
        body.gpusMax = training.gpusMax();
        body.sharing = training.sharing();

        body.estimatedMemory = training.memoryBytes().map(Units::text).orElse(null);
        body.estimate = training.estimate().map(Units::text).orElse(null);
        body.deadline = training.deadline().map(Instant::toString).orElse(null);
        return body.body();
    }
}
