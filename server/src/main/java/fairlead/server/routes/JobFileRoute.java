package fairlead.server.routes;

import fairlead.api.spec.FileAnswer;
import fairlead.api.spec.SpecBody;
import fairlead.dialects.jobfile.BadJobFile;
import fairlead.dialects.jobfile.FileJob;
import fairlead.dialects.jobfile.JobFileReader;
import fairlead.dialects.jobfile.Lines;
import fairlead.dialects.openpai.PaiOrigin;
import fairlead.job.SpecException;
import fairlead.server.admission.Admission;
import fairlead.server.admission.NotAdmitted;
import fairlead.server.auth.Caller;
import fairlead.server.auth.JobAccounts;
import fairlead.server.http.Call;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Reads job files for pages: every mistake at its line, before anything is submitted. */
final class JobFileRoute {
    /** What somebody types or drops on a page; larger files go by the command. */
    private static final int BYTES_MAX = 1 << 20;

    /** As many as a page can show. */
    private static final int JOBS_MAX = 1_000;

    private static final String FILE = "file";

    private final Admission admission;

    JobFileRoute(Admission admission) {
        this.admission = admission;
    }

    void read(Call call) throws IOException, InterruptedException {
        String text = new String(call.read(BYTES_MAX), StandardCharsets.UTF_8);
        call.takeTurn();
        call.send(200, answer(call.caller(), text));
    }

    private FileAnswer answer(Caller caller, String text) {
        List<FileJob> jobs;
        try {
            jobs = JobFileReader.read(FILE, text);
        } catch (BadJobFile bad) {
            return new FileAnswer(
                    null, List.of(), List.of(problem(bad.line(), bad.words())), List.of());
        }
        String kind = jobs.getFirst().kind().name().toLowerCase(Locale.ROOT);
        if (jobs.size() > JOBS_MAX)
            return new FileAnswer(
                    kind,
                    List.of(),
                    List.of(
                            problem(
                                    OptionalInt.empty(),
                                    "has %d jobs; a page takes %d, so submit it with 'fairlead submit -f'"
                                            .formatted(jobs.size(), JOBS_MAX))),
                    List.of());
        var specs = new ArrayList<SpecBody>();
        var problems = new ArrayList<FileAnswer.ProblemBody>();
        var remarks = new ArrayList<String>();
        for (FileJob job : jobs) {
            remarks.addAll(job.remarks());
            SpecBody spec = owned(job.spec(), caller);
            specs.add(spec);
            try {
                var sender = new Admission.Sender(caller, caller.name(), JobAccounts.Form.SPEC);
                admission.check(sender, admission.complete(spec, caller, null));
            } catch (SpecException bad) {
                problems.add(problem(line(job.lines(), bad.field()), bad.getMessage()));
            } catch (NotAdmitted refused) {
                problems.add(problem(line(job.lines(), refused.field()), refused.getMessage()));
            }
        }
        return new FileAnswer(kind, problems.isEmpty() ? specs : List.of(), problems, remarks);
    }

    /** A field that the file does not say has the line of what it belongs to; the job has one. */
    private static OptionalInt line(Lines lines, String field) {
        return lines.line(field == null ? "" : field);
    }

    /** In the key of OpenPAI's jobs their user is a part. */
    private static SpecBody owned(SpecBody spec, Caller caller) {
        return PaiOrigin.unowned(spec.origin())
                .map(
                        name ->
                                spec.with(
                                        edit ->
                                                edit.origin =
                                                        PaiOrigin.named(
                                                                edit.origin, caller.name(), name)))
                .orElse(spec);
    }

    private static FileAnswer.ProblemBody problem(OptionalInt line, String message) {
        return new FileAnswer.ProblemBody(line.isPresent() ? line.getAsInt() : null, message);
    }
}
