package fairlead.server.routes;

import fairlead.api.spec.FileAnswer;
import fairlead.api.spec.SpecBody;
import fairlead.api.submit.BadForm;
import fairlead.api.submit.FileForm;
import fairlead.api.submit.PostedJob;
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
import java.util.OptionalInt;

/** Reads job files for pages: every mistake at its line, before anything is submitted. */
final class JobFileRoute {
    /** What somebody types or drops on a page; larger files go by the command. */
    private static final int BYTES_MAX = 1 << 20;

    /** As many as a page can show. */
    private static final int JOBS_MAX = 1_000;

    private final Admission admission;
    private final FileForm form;

    JobFileRoute(Admission admission, FileForm form) {
        this.admission = admission;
        this.form = form;
    }

    void read(Call call) throws IOException, InterruptedException {
        String text = new String(call.read(BYTES_MAX), StandardCharsets.UTF_8);
        call.takeTurn();
        call.send(200, answer(call.caller(), text));
    }

    private FileAnswer answer(Caller caller, String text) {
        List<PostedJob> jobs;
        try {
            jobs = form.read(text, caller.name());
        } catch (BadForm bad) {
            return new FileAnswer(
                    null, List.of(), List.of(problem(bad.line(), bad.words())), List.of());
        }
        String kind = jobs.getFirst().kind();
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
        for (PostedJob job : jobs) {
            remarks.addAll(job.remarks());
            specs.add(job.spec());
            try {
                var sender = new Admission.Sender(caller, caller.name(), JobAccounts.Form.SPEC);
                admission.check(sender, admission.complete(job.spec(), caller, null));
            } catch (SpecException bad) {
                problems.add(problem(line(job, bad.field()), bad.getMessage()));
            } catch (NotAdmitted refused) {
                problems.add(problem(line(job, refused.field()), refused.getMessage()));
            }
        }
        return new FileAnswer(kind, problems.isEmpty() ? specs : List.of(), problems, remarks);
    }

    /** A field that the file does not say has the line of what it belongs to; the job has one. */
    private static OptionalInt line(PostedJob job, String field) {
        return job.line().apply(field == null ? "" : field);
    }

    private static FileAnswer.ProblemBody problem(OptionalInt line, String message) {
        return new FileAnswer.ProblemBody(line.isPresent() ? line.getAsInt() : null, message);
    }
}
