package fairlead.server.journal;

import fairlead.api.StrictReader;
import fairlead.job.JobId;
import fairlead.job.Profile;
import fairlead.job.Progress;
import fairlead.job.Setbacks;
import fairlead.job.Setup;

import io.avaje.json.JsonWriter;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The stored form of how far a training job has come, and of what preemptions cost a job. */
final class ProgressJson {
    private ProgressJson() {}

    static String write(Progress progress) {
        return PartsJson.text(
                json -> {
                    PartsJson.put(json, "attempt", progress.attempt());
                    PartsJson.put(json, "epochsDone", progress.epochsDone());
                    if (progress.fraction() > 0) {
                        PartsJson.put(json, "fraction", progress.fraction());
                    }
                    progress.safe().ifPresent(at -> PartsJson.put(json, "safe", at));
                    PartsJson.put(json, "memoryBytes", progress.profile().memoryBytes());
                    json.name("speeds");
                    json.beginArray();
                    progress.profile().speeds().forEach((setup, speed) -> put(json, setup, speed));
                    json.endArray();
                });
    }

    private static void put(JsonWriter json, Setup setup, Profile.Speed speed) {
        json.beginObject();
        PartsJson.put(json, "tasks", setup.tasks());
        PartsJson.put(json, "gpus", setup.gpus());
        if (setup.isShared()) PartsJson.put(json, "beside", setup.beside());
        PartsJson.put(json, "epochSeconds", speed.epochSeconds());
        PartsJson.put(json, "stepSeconds", speed.stepSeconds());
        PartsJson.put(json, "epochs", speed.epochs());
        json.endObject();
    }

    static Progress progress(String text) {
        var json = new StrictReader(text);
        int attempt = 0;
        int epochsDone = 0;
        double fraction = 0;
        Optional<Instant> safe = Optional.empty();
        long memoryBytes = 0;
        var speeds = new TreeMap<Setup, Profile.Speed>();
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "attempt" -> attempt = json.readInt();
                case "epochsDone" -> epochsDone = json.readInt();
                case "fraction" -> fraction = json.readDouble();
                case "safe" -> safe = Optional.of(PartsJson.instant(json));
                case "memoryBytes" -> memoryBytes = json.readLong();
                case "speeds" -> readSpeeds(json, speeds);
                default -> throw PartsJson.unknown(json);
            }
        }
        json.endObject();
        json.expectEnd();
        return new Progress(attempt, epochsDone, fraction, safe, new Profile(speeds, memoryBytes));
    }

    private static void readSpeeds(StrictReader json, Map<Setup, Profile.Speed> speeds) {
        json.beginArray();
        while (json.hasNextElement()) {
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
                    default -> throw PartsJson.unknown(json);
                }
            }
            json.endObject();
            speeds.put(
                    new Setup(tasks, gpus, beside),
                    new Profile.Speed(epochSeconds, stepSeconds, epochs));
        }
        json.endArray();
    }

    static String write(Setbacks setbacks) {
        return PartsJson.text(
                json -> {
                    PartsJson.put(json, "lost", setbacks.lost().toString());
                    json.name("last");
                    json.beginArray();
                    for (Setbacks.Receipt receipt : setbacks.last()) {
                        json.beginObject();
                        PartsJson.put(json, "at", receipt.at());
                        PartsJson.put(json, "beneficiary", receipt.beneficiary().text());
                        PartsJson.put(json, "why", receipt.why());
                        PartsJson.put(json, "lost", receipt.lost().toString());
                        json.endObject();
                    }
                    json.endArray();
                });
    }

    static Setbacks setbacks(String text) {
        var json = new StrictReader(text);
        Duration lost = Duration.ZERO;
        var last = new ArrayList<Setbacks.Receipt>();
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "lost" -> lost = Duration.parse(json.readString());
                case "last" -> {
                    json.beginArray();
                    while (json.hasNextElement()) last.add(receipt(json));
                    json.endArray();
                }
                default -> throw PartsJson.unknown(json);
            }
        }
        json.endObject();
        json.expectEnd();
        return new Setbacks(lost, last);
    }

    private static Setbacks.Receipt receipt(StrictReader json) {
        Instant at = null;
        JobId beneficiary = null;
        String why = null;
        Duration lost = Duration.ZERO;
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "at" -> at = PartsJson.instant(json);
                case "beneficiary" -> beneficiary = new JobId(json.readString());
                case "why" -> why = json.readString();
                case "lost" -> lost = Duration.parse(json.readString());
                default -> throw PartsJson.unknown(json);
            }
        }
        json.endObject();
        return new Setbacks.Receipt(at, beneficiary, why, lost);
    }

    static void put(JsonWriter json, Profile.Epoch epoch) {
        PartsJson.put(json, "done", epoch.done());
        epoch.seconds().ifPresent(seconds -> PartsJson.put(json, "seconds", seconds));
        epoch.stepSeconds().ifPresent(seconds -> PartsJson.put(json, "stepSeconds", seconds));
        PartsJson.put(json, "memoryBytes", epoch.memoryBytes());
        if (!epoch.beside().isEmpty()) PartsJson.put(json, "beside", epoch.beside());
    }

    static OptionalDouble seconds(StrictReader json) {
        return OptionalDouble.of(json.readDouble());
    }
}
