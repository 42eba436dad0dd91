package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.json.BadBody;
import fairlead.api.json.StrictReader;
import fairlead.control.Controller;
import fairlead.control.Refused;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Profile;
import fairlead.journal.JournalException;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.launch.LaunchedJobs;
import fairlead.server.runtime.StopOrders;

import io.avaje.json.JsonReader;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the published training library of the Kubernetes DL scheduler asks and reports. It sends no
 * token and names no attempt: the job's UUID is its key, and the current attempt is meant. All its
 * ranks send everything.
 */
final class PublishedRoutes {
    private static final long MIB = 1L << 20;

    private final JobFinder finder;
    private final Controller controller;
    private final LaunchedJobs launched;
    private final Reporting reporting;
    private final StopOrders orders;

    /** How long the epochs took that are about to be reported as done: at most one for each job. */
    private final Map<JobId, Measured> measured = new ConcurrentHashMap<>();

    private record Measured(AttemptId attempt, OptionalDouble epochSeconds, OptionalDouble step) {}

    PublishedRoutes(
            JobFinder finder,
            Controller controller,
            LaunchedJobs launched,
            Reporting reporting,
            StopOrders orders) {
        this.finder = finder;
        this.controller = controller;
        this.launched = launched;
        this.reporting = reporting;
        this.orders = orders;
    }

    /** Answers 1 or 0 and nothing else: the library compares the whole body. */
    void hasToStop(Call call) throws JournalException, Refused, InterruptedException {
        Job job = job(call);
        AttemptId attempt = Reporting.current(job);
        orders.arrive(job, attempt, point(job));
        Job after = reporting.take(job, attempt, Optional.empty(), 0);
        int epochs = job.spec().training().orElseThrow().epochs();
        // The library looks at its number of epochs too, but only the server knows the other ranks.
        boolean mayStop = after.progress().epochsDone() < epochs - 1;
        call.sendText(orders.stops(attempt, point(after), mayStop) ? "1" : "0");
    }

    /** Every rank has reported its epoch's end before it asks, so all ask at the same point. */
    private static StopOrders.Point point(Job job) {
        return new StopOrders.Point(job.progress().epochsDone(), 0);
    }

    void endEpoch(Call call) throws IOException, JournalException, Refused, InterruptedException {
        Job job = job(call);
        Told told = Told.read(call.shortBody());
        AttemptId attempt = Reporting.current(job);
        int done = told.done().orElseThrow(() -> Problem.invalid("done", "done: is missing"));
        if (done < 1) throw Problem.invalid("done", "done: must be at least 1, but is " + done);
        Measured last = measured.get(job.id());
        boolean isOurs = last != null && last.attempt().equals(attempt);
        var epoch =
                new Profile.Epoch(
                        done,
                        isOurs ? last.epochSeconds() : OptionalDouble.empty(),
                        isOurs ? last.step() : OptionalDouble.empty(),
                        0);
        reporting.take(
                job, attempt, Optional.of(at -> new Event.EpochEnded(at, attempt, epoch)), 0);
        measured.remove(job.id());
        call.sendText("");
    }

    void profiling(Call call) throws IOException, JournalException, Refused, InterruptedException {
        Job job = job(call);
        Told told = Told.read(call.shortBody());
        AttemptId attempt = Reporting.current(job);
        if (told.epochSeconds().isPresent()) {
            if (!measured.containsKey(job.id())) {
                measured.keySet().removeIf(id -> controller.unfinished(id).isEmpty());
            }
            measured.put(job.id(), new Measured(attempt, told.epochSeconds(), told.stepSeconds()));
        }
        reporting.take(job, attempt, Optional.empty(), told.memoryBytes());
        call.sendText("");
    }

    private Job job(Call call) throws JournalException {
        Optional<JobId> id = launched.find(call.uuid());
        Optional<Job> job = id.isEmpty() ? Optional.empty() : finder.current(id.get());
        return job.orElseThrow(
                () ->
                        new Problem(
                                ErrorCode.NOT_FOUND,
                                "no job that runs has this UUID: send the job's JOB_UUID"));
    }

    /** What a body says, of all that we need. The rest is not ours to check. */
    private record Told(
            Optional<Integer> done,
            OptionalDouble epochSeconds,
            OptionalDouble stepSeconds,
            long memoryBytes) {
        static Told read(byte[] body) {
            var json = new StrictReader(new String(body, StandardCharsets.UTF_8));
            Optional<Integer> done = Optional.empty();
            OptionalDouble epochSeconds = OptionalDouble.empty();
            OptionalDouble stepSeconds = OptionalDouble.empty();
            OptionalDouble memoryMib = OptionalDouble.empty();
            json.beginObject();
            while (json.hasNextField()) {
                switch (json.nextField()) {
                    case "done" -> done = Optional.of(json.readInt());
                    case "epochDur" -> epochSeconds = number(json);
                    case "meandur" -> stepSeconds = number(json);
                    case "gpumem" -> memoryMib = number(json);
                    default -> json.skipValue();
                }
            }
            json.endObject();
            json.expectEnd();
            return new Told(done, measured(epochSeconds), measured(stepSeconds), bytes(memoryMib));
        }

        /** Where the library could not measure, it may send anything. */
        private static OptionalDouble number(StrictReader json) throws BadBody {
            if (json.currentToken() == JsonReader.Token.NUMBER)
                return OptionalDouble.of(json.readDouble());
            json.skipValue();
            return OptionalDouble.empty();
        }

        private static OptionalDouble measured(OptionalDouble seconds) {
            return seconds.isPresent() ? Reporting.seconds(seconds.getAsDouble()) : seconds;
        }

        private static long bytes(OptionalDouble mib) {
            double bytes = mib.orElse(0) * MIB;
            return bytes > 0 && bytes <= Reporting.MEMORY_BYTES_MAX ? (long) bytes : 0;
        }
    }
}
