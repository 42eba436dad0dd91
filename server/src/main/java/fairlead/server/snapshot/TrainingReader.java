package fairlead.server.snapshot;

import fairlead.api.StrictReader;
import fairlead.job.JobId;
import fairlead.job.Profile;
import fairlead.job.Progress;
import fairlead.job.Setbacks;
import fairlead.job.Setup;
import fairlead.job.Training;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads what {@link TrainingWriter} writes. */
final class TrainingReader {
    private final StrictReader json;

    TrainingReader(StrictReader json) {
        this.json = json;
    }

    Training training() {
        int epochs = 0;
        int batchSize = 1;
        long trainingSetSize = 1;
        int gpus = 0;
        int gpusMin = 0;
        int gpusMax = 0;
        boolean sharing = true;
        Optional<Long> memoryBytes = Optional.empty();
        Optional<Duration> estimate = Optional.empty();
        Optional<Instant> deadline = Optional.empty();
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "epochs" -> epochs = json.readInt();
                case "batchSize" -> batchSize = json.readInt();
                case "trainingSetSize" -> trainingSetSize = json.readLong();
                case "gpus" -> gpus = json.readInt();
                case "gpusMin" -> gpusMin = json.readInt();
                case "gpusMax" -> gpusMax = json.readInt();
                case "sharing" -> sharing = json.readBoolean();
                case "memoryBytes" -> memoryBytes = Optional.of(json.readLong());
                case "estimate" -> estimate = Optional.of(duration());
                case "deadline" -> deadline = Optional.of(instant());
                default -> throw unknown();
            }
        }
        json.endObject();
        return new Training(
                epochs,
                batchSize,
                trainingSetSize,
                gpus,
                gpusMin,
                gpusMax,
                sharing,
                memoryBytes,
                estimate,
                deadline);
    }

    Progress progress() {
        int attempt = 0;
        int epochsDone = 0;
        double fraction = 0;
        Optional<Instant> safe = Optional.empty();
        Profile profile = Profile.NONE;
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "attempt" -> attempt = json.readInt();
                case "epochsDone" -> epochsDone = json.readInt();
                case "fraction" -> fraction = json.readDouble();
                case "safe" -> safe = Optional.of(instant());
                case "profile" -> profile = profile();
                default -> throw unknown();
            }
        }
        json.endObject();
        return new Progress(attempt, epochsDone, fraction, safe, profile);
    }

    Profile profile() {
        long memoryBytes = 0;
        var speeds = new TreeMap<Setup, Profile.Speed>();
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "memoryBytes" -> memoryBytes = json.readLong();
                case "speeds" -> {
                    json.beginArray();
                    while (json.hasNextElement()) speed(speeds);
                    json.endArray();
                }
                default -> throw unknown();
            }
        }
        json.endObject();
        return new Profile(speeds, memoryBytes);
    }

    private void speed(Map<Setup, Profile.Speed> speeds) {
        int tasks = 0;
        int gpus = 0;
        String beside = Setup.ALONE;
        double epochSeconds = 0;
        double stepSeconds = 0;
        int epochs = 0;
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "tasks" -> tasks = json.readInt();
                case "gpus" -> gpus = json.readInt();
                case "beside" -> beside = json.readString();
                case "epochSeconds" -> epochSeconds = json.readDouble();
                case "stepSeconds" -> stepSeconds = json.readDouble();
                case "epochs" -> epochs = json.readInt();
                default -> throw unknown();
            }
        }
        json.endObject();
        speeds.put(
                new Setup(tasks, gpus, beside),
                new Profile.Speed(epochSeconds, stepSeconds, epochs));
    }

    Setbacks setbacks() {
        Duration lost = Duration.ZERO;
        var receipts = new ArrayList<Setbacks.Receipt>();
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "lost" -> lost = duration();
                case "receipts" -> {
                    json.beginArray();
                    while (json.hasNextElement()) receipts.add(receipt());
                    json.endArray();
                }
                default -> throw unknown();
            }
        }
        json.endObject();
        return new Setbacks(lost, receipts);
    }

    private Setbacks.Receipt receipt() {
        Instant at = Instant.EPOCH;
        JobId beneficiary = null;
        String why = "";
        Duration lost = Duration.ZERO;
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "at" -> at = instant();
                case "beneficiary" -> beneficiary = new JobId(json.readString());
                case "why" -> why = json.readString();
                case "lost" -> lost = duration();
                default -> throw unknown();
            }
        }
        json.endObject();
        if (beneficiary == null) throw json.wrong("has no beneficiary");
        return new Setbacks.Receipt(at, beneficiary, why, lost);
    }

    private Instant instant() {
        return Instant.parse(json.readString());
    }

    private Duration duration() {
        return Duration.parse(json.readString());
    }

    private RuntimeException unknown() {
        return json.wrong("is not a known field");
    }
}
