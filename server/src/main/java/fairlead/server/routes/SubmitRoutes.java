package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.ResubmitRequest;
import fairlead.api.ScriptRequest;
import fairlead.api.SubmitAnswer;
import fairlead.api.SubmitRequest;
import fairlead.api.spec.SpecBody;
import fairlead.api.submit.BadForm;
import fairlead.api.submit.ScriptForm;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.engine.Engine;
import fairlead.job.Footprint;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Limits;
import fairlead.job.Resources;
import fairlead.job.SpecException;
import fairlead.journal.JournalException;
import fairlead.server.admission.Admission;
import fairlead.server.admission.NotAdmitted;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.auth.JobAccounts;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.wire.Json;
import fairlead.wire.Specs;
import fairlead.wire.Units;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Submit and resubmit. Both answer once it is durable. */
final class SubmitRoutes {
    /** The audit names so many jobs of a submit. */
    private static final int SUBJECTS_MAX = 10;

    private static final int REQUEST_CHARS_MAX = 200;

    /** Four times the largest request: enough for ten thousand jobs with a shell's environment. */
    private static final long DRY_RUN_BYTES_MAX = 64L << 20;

    private final JobFinder finder;
    private final Admission admission;
    private final Clusters clusters;
    private final Map<String, Engine> engines;
    private final Access access;
    private final ForecastRoute forecast;
    private final ScriptForm scripts;

    SubmitRoutes(
            JobFinder finder,
            Admission admission,
            Clusters clusters,
            Map<String, Engine> engines,
            Access access,
            ForecastRoute forecast,
            ScriptForm scripts) {
        this.scripts = scripts;
        this.forecast = forecast;
        this.finder = finder;
        this.admission = admission;
        this.clusters = clusters;
        this.engines = engines;
        this.access = access;
    }

    void submit(Call call) throws IOException, InterruptedException, Refused, JournalException {
        submit(call, call.body(SubmitRequest.class), JobAccounts.Form.SPEC);
    }

    /** One job in the form of a script and what it needs. */
    void script(Call call) throws IOException, InterruptedException, Refused, JournalException {
        ScriptRequest script = call.body(ScriptRequest.class);
        String user = script.username() == null ? call.caller().name() : script.username();
        Path datasets = Path.of("/home").resolve(user).resolve("datasets");
        Engine engine = engines.get(clusters.first());
        checkFolder(script.directoryToMount(), engine);
        boolean isHere = JobSpec.ACCOUNT.matcher(user).matches() && Files.isDirectory(datasets);
        SpecBody spec;
        try {
            spec =
                    scripts.spec(
                            script,
                            isHere ? Optional.of(datasets) : Optional.empty(),
                            engine.terms().runsImages() && script.dockerImage() != null);
        } catch (BadForm bad) {
            throw new Problem(ErrorCode.INVALID, bad.getMessage());
        }
        var request = new SubmitRequest(null, List.of(spec), null, user, null, null);
        submit(call, request, JobAccounts.Form.SCRIPT);
    }

    /** Only a machine that this is can be looked at. */
    private static void checkFolder(String folder, Engine engine) {
        if (folder == null || !engine.terms().runsHere() || new File(folder).isDirectory()) return;
        throw Problem.invalid(
                "directoryToMount",
                "directoryToMount: there is no folder %.200s".formatted(folder));
    }

    private void submit(Call call, SubmitRequest request, JobAccounts.Form form)
            throws IOException, InterruptedException, Refused, JournalException {
        Caller owner = owner(call, request.as());
        List<JobSpec> specs = new ArrayList<>();
        for (JobSpec spec : specs(request, owner)) specs.add(finder.findAwaited(spec, call));
        Optional<SubmitRequest.ArrayBody> array = Optional.ofNullable(request.array());
        if (array.isPresent()) checkArray(specs, array.get());
        List<Job> old =
                request.instead() == null
                        ? List.of()
                        : List.of(finder.find(request.instead(), call));
        for (Job job : old) call.onlyInPerson(job, "replace");
        var sender = new Admission.Sender(call.caller(), owner.name(), form);
        boolean mustFit = call.flag("ifItFits") || hasRunning(old);
        check(
                specs,
                array,
                spec -> {
                    admission.check(sender, spec);
                    if (mustFit) admission.checkFits(spec);
                },
                form,
                outcome(old));
        if (call.flag("dryRun")) {
            show(call, specs, array);
            return;
        }
        if (call.flag("forecast")) {
            int jobs = jobs(specs, array);
            forecast.send(
                    call,
                    owner.name(),
                    specs.getFirst(),
                    admission.warnings(owner.name(), specs, jobs));
            return;
        }
        submit(call, sender, specs, request.request(), array, ids(old));
    }

    /** Nobody means to stop what runs for what never will. */
    private static boolean hasRunning(List<Job> old) {
        return old.stream().anyMatch(job -> job.state() instanceof JobState.Active);
    }

    /** Whoever replaces a job wants to know what has become of it when the new one is refused. */
    private static String outcome(List<Job> old) {
        boolean isActive =
                old.stream().anyMatch(job -> !(job.state() instanceof JobState.Finished));
        return isActive ? "; nothing was aborted" : "";
    }

    /** One look at a spec. */
    @FunctionalInterface
    private interface Check {
        void of(JobSpec spec) throws NotAdmitted;
    }

    /** All specs of a request, so that none of its jobs is submitted where one is refused. */
    private static void check(
            List<JobSpec> specs,
            Optional<SubmitRequest.ArrayBody> array,
            Check check,
            JobAccounts.Form form,
            String outcome) {
        for (int i = 0; i < specs.size(); i++) {
            JobSpec spec = specs.get(i);
            try {
                check.of(array.map(range -> longest(spec, range)).orElse(spec));
            } catch (NotAdmitted refusal) {
                throw problem(refusal, "jobs[" + i + "]", form, outcome);
            }
        }
    }

    private static Problem problem(
            NotAdmitted refusal, String path, JobAccounts.Form form, String outcome) {
        String words = refusal.getMessage() + outcome;
        String field = refusal.field().isEmpty() ? path : path + "." + refusal.field();
        String placed = field + ": " + words;
        return switch (refusal.reason()) {
            case UNKNOWN_PROJECT -> Problem.notFound(field, placed);
            case STOPPED_PROJECT -> new Problem(ErrorCode.CONFLICT, words);
            case NOT_A_MEMBER -> new Problem(ErrorCode.FORBIDDEN, words);
            case ACCOUNT ->
                    form == JobAccounts.Form.SCRIPT
                            ? new Problem(ErrorCode.FORBIDDEN, words)
                            : Problem.forbidden(field, placed);
            case ORIGIN, UNKNOWN_CLUSTER, CANNOT_RUN, NEVER_FITS -> Problem.invalid(field, placed);
        };
    }

    private static List<JobId> ids(List<Job> jobs) {
        return jobs.stream().map(Job::id).toList();
    }

    /** Written spec by spec: the jobs of an array share one in memory, but not in an answer. */
    private static void show(
            Call call, List<JobSpec> specs, Optional<SubmitRequest.ArrayBody> array)
            throws IOException, InterruptedException {
        int jobs = jobs(specs, array);
        long bytes = specs.stream().mapToLong(Footprint::of).sum() * jobs / specs.size();
        if (bytes > DRY_RUN_BYTES_MAX)
            throw Problem.invalid(
                    "array",
                    "array: a dry run of %d such jobs would answer more than %s; try a shorter array"
                            .formatted(jobs, Units.text(DRY_RUN_BYTES_MAX)));
        call.takeTurn();
        try (var out = new BufferedOutputStream(call.stream("application/json"))) {
            for (int i = 0; i < jobs; i++) {
                int at = i;
                JobSpec spec =
                        array.map(range -> specs.getFirst().at(range.from() + at))
                                .orElseGet(() -> specs.get(at));
                out.write(i == 0 ? '[' : ',');
                out.write(Json.writeBytes(Specs.shown(spec)));
            }
            out.write(']');
        }
    }

    private static int jobs(List<JobSpec> specs, Optional<SubmitRequest.ArrayBody> array) {
        return array.map(range -> 1 + range.to() - range.from()).orElse(specs.size());
    }

    void resubmit(Call call) throws IOException, InterruptedException, Refused, JournalException {
        Job job = finder.find(call);
        call.onlyInPerson(job, "resubmit");
        submitAgain(call, List.of(job), List.of(job.ownSpec()), Optional.empty());
    }

    /** All jobs of an array become one again; where some are gone, each becomes a job. */
    void resubmitArray(Call call)
            throws IOException, InterruptedException, Refused, JournalException {
        List<Job> jobs = finder.array(call);
        call.onlyInPerson(jobs.getFirst(), "resubmit");
        var range = new SubmitRequest.ArrayBody(index(jobs.getFirst()), index(jobs.getLast()));
        boolean isWhole = jobs.size() == 1 + range.to() - range.from();
        submitAgain(
                call,
                jobs,
                isWhole
                        ? List.of(jobs.getFirst().spec())
                        : jobs.stream().map(Job::ownSpec).toList(),
                isWhole ? Optional.of(range) : Optional.empty());
    }

    private static int index(Job job) {
        return job.array().orElseThrow().index();
    }

    /**
     * @param specs theirs, or the one of all, where they become an array
     */
    private void submitAgain(
            Call call, List<Job> old, List<JobSpec> specs, Optional<SubmitRequest.ArrayBody> array)
            throws IOException, InterruptedException, Refused {
        ResubmitRequest request = call.body(ResubmitRequest.class);
        // The old job keeps its names until it is deleted.
        String other = "_" + System.currentTimeMillis();
        var again = new ArrayList<JobSpec>();
        for (JobSpec spec : specs) {
            JobSpec sized = request.gpus() == null ? spec : withGpus(spec, request.gpus());
            again.add(finder.stillAwaiting(sized.renamed(other)));
        }
        // Whoever asks for it, the new job is the same person's as the old one.
        String owner = old.getFirst().owner();
        var sender = new Admission.Sender(call.caller(), owner, JobAccounts.Form.SPEC);
        // A number that was just typed may be a typo.
        boolean mustFit = request.gpus() != null || hasRunning(old);
        check(
                again,
                array,
                spec -> {
                    admission.checkAgain(sender, spec);
                    if (mustFit) admission.checkFits(spec);
                },
                JobAccounts.Form.SPEC,
                outcome(old));
        submit(call, sender, again, request.request(), array, ids(old));
    }

    /** An admin may submit for others, also for somebody whom the server does not know yet. */
    private Caller owner(Call call, String as) {
        if (as == null || as.equals(call.caller().name())) return call.caller();
        call.onlyAdmin("submit for others");
        if (!JobSpec.ACCOUNT.matcher(as).matches())
            throw Problem.invalid("as", "as: is not a user's name: '%.40s'".formatted(as));
        return access.as(as);
    }

    /**
     * @param specs the one of all jobs, where they form an array
     */
    private void submit(
            Call call,
            Admission.Sender sender,
            List<JobSpec> specs,
            String request,
            Optional<SubmitRequest.ArrayBody> array,
            List<JobId> instead)
            throws InterruptedException, Refused {
        checkRequest(request);
        int jobs = jobs(specs, array);
        List<String> warnings = admission.warnings(sender.owner(), specs, jobs);
        var answer = new CompletableFuture<Message.Submitted>();
        Message.Submitted done =
                admission.ask(
                        sender,
                        new Message.Submit(
                                sender.owner(),
                                array.isEmpty()
                                        ? specs
                                        : Collections.nCopies(jobs, specs.getFirst()),
                                Optional.ofNullable(request),
                                array.map(range -> OptionalInt.of(range.from()))
                                        .orElse(OptionalInt.empty()),
                                instead,
                                answer));
        call.about(
                done.array()
                        .orElseGet(
                                () ->
                                        done.jobs().stream()
                                                .map(JobId::text)
                                                .limit(SUBJECTS_MAX)
                                                .collect(Collectors.joining(" "))));
        call.send(
                done.repeated() ? 200 : 201,
                new SubmitAnswer(
                        done.jobs().stream().map(JobId::text).toList(),
                        done.array().orElse(null),
                        warnings));
    }

    private static void checkRequest(String request) {
        if (request == null) return;
        if (request.isEmpty() || request.length() > REQUEST_CHARS_MAX)
            throw Problem.invalid(
                    "request", "request: must have 1 to " + REQUEST_CHARS_MAX + " characters");
    }

    private List<JobSpec> specs(SubmitRequest request, Caller owner) {
        List<SpecBody> bodies = request.jobs();
        if (bodies == null || bodies.isEmpty())
            throw Problem.invalid("jobs", "jobs: is empty; at least one spec is needed");
        checkCount(bodies.size(), "jobs");
        var specs = new ArrayList<JobSpec>();
        for (int i = 0; i < bodies.size(); i++) {
            String path = "jobs[" + i + "]";
            SpecBody body = bodies.get(i);
            if (body == null) throw Problem.invalid(path, path + ": is null");
            try {
                specs.add(admission.complete(body, owner, request.here()));
            } catch (SpecException bad) {
                throw bad.inside(path);
            }
        }
        return specs;
    }

    private static void checkArray(List<JobSpec> specs, SubmitRequest.ArrayBody array) {
        if (specs.size() != 1)
            throw Problem.invalid("array", "array: needs exactly one spec in jobs");
        if (array.from() < 0 || array.to() < array.from())
            throw Problem.invalid(
                    "array",
                    "array: must go from 0 or more up to a number that is not smaller, but is %d-%d"
                            .formatted(array.from(), array.to()));
        checkCount(1L + array.to() - array.from(), "array");
        try {
            longest(specs.getFirst(), array);
        } catch (SpecException bad) {
            throw bad.inside("jobs[0]");
        }
    }

    /** If this one may run, all others may: the last index has the most digits. */
    private static JobSpec longest(JobSpec spec, SubmitRequest.ArrayBody array) {
        return spec.at(array.to());
    }

    private static void checkCount(long jobs, String field) {
        if (jobs > Limits.JOBS_PER_REQUEST_MAX)
            throw Problem.invalid(
                    field,
                    "%s: asks for %d jobs; the limit is %d"
                            .formatted(field, jobs, Limits.JOBS_PER_REQUEST_MAX));
    }

    private static JobSpec withGpus(JobSpec spec, int gpus) {
        JobSpec other = spec.withRoles(role -> role.asking(withGpus(role.resources(), gpus)));
        return spec.training().map(asked -> other.withTraining(asked.asking(gpus))).orElse(other);
    }

    private static Resources withGpus(Resources ask, int gpus) {
        // As with a new spec: a task without GPUs must count for something.
        int cpus = gpus == 0 && ask.cpus() == 0 ? 1 : ask.cpus();
        return ask.withGpus(gpus, GpuPart.WHOLE).withCpus(cpus);
    }
}
