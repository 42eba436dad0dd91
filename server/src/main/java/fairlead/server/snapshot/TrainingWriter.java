package fairlead.server.snapshot;

import fairlead.job.Job;
import fairlead.job.Profile;
import fairlead.job.Setbacks;
import fairlead.job.Setup;
import fairlead.job.Training;

import io.avaje.json.JsonWriter;

/** What a policy knows of training jobs, as JSON inside a job of a snapshot. */
final class TrainingWriter {
    private final JsonWriter json;
    private final Aliases aliases;

    TrainingWriter(JsonWriter json, Aliases aliases) {
        this.json = json;
        this.aliases = aliases;
    }

    /**
     * @param known what was foreseen for the job's script
     */
    void write(Job job, Training training, Profile known) {
        begin("training");
        put("epochs", training.epochs());
        put("batchSize", training.batchSize());
        put("trainingSetSize", training.trainingSetSize());
        put("gpus", training.gpus());
        put("gpusMin", training.gpusMin());
        put("gpusMax", training.gpusMax());
        json.name("sharing");
        json.value(training.sharing());
        training.memoryBytes().ifPresent(bytes -> put("memoryBytes", bytes));
        training.estimate().ifPresent(time -> put("estimate", time.toString()));
        training.deadline().ifPresent(at -> put("deadline", at.toString()));
        json.endObject();
        begin("progress");
        put("attempt", job.progress().attempt());
        put("epochsDone", job.progress().epochsDone());
        json.name("fraction");
        json.value(job.progress().fraction());
        job.progress().safe().ifPresent(at -> put("safe", at.toString()));
        write("profile", job.progress().profile());
        json.endObject();
        write("known", known);
    }

    private void write(String name, Profile profile) {
        begin(name);
        put("memoryBytes", profile.memoryBytes());
        json.name("speeds");
        json.beginArray();
        profile.speeds().forEach(this::write);
        json.endArray();
        json.endObject();
    }

    private void write(Setup setup, Profile.Speed speed) {
        json.beginObject();
        put("tasks", setup.tasks());
        put("gpus", setup.gpus());
        if (setup.isShared()) put("beside", aliases.beside(setup.beside()));
        json.name("epochSeconds");
        json.value(speed.epochSeconds());
        json.name("stepSeconds");
        json.value(speed.stepSeconds());
        put("epochs", speed.epochs());
        json.endObject();
    }

    void write(Setbacks setbacks) {
        begin("setbacks");
        put("lost", setbacks.lost().toString());
        json.name("receipts");
        json.beginArray();
        for (Setbacks.Receipt receipt : setbacks.last()) {
            json.beginObject();
            put("at", receipt.at().toString());
            put("beneficiary", receipt.beneficiary().text());
            put("why", receipt.why());
            put("lost", receipt.lost().toString());
            json.endObject();
        }
        json.endArray();
        json.endObject();
    }

    private void begin(String name) {
        json.name(name);
        json.beginObject();
    }

    private void put(String name, String value) {
        json.name(name);
        json.value(value);
    }

    private void put(String name, long value) {
        json.name(name);
        json.value(value);
    }
}
