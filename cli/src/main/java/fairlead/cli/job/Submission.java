package fairlead.cli.job;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.api.SubmitAnswer;
import fairlead.api.SubmitRequest.ArrayBody;
import fairlead.api.client.Answer;
import fairlead.api.client.Refused;
import fairlead.api.spec.SpecBody;
import fairlead.cli.line.Session;
import fairlead.cli.spec.Draft;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.jobfile.Lines;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jobs on their way to the server. A refusal is printed with the line of the file that it is about.
 *
 * @param lines where the fields of each job stand
 * @param as whose jobs they will be; null: the caller's
 */
public record Submission(
        List<SpecBody> bodies, List<Lines> lines, ArrayBody array, String as, Here here) {
    private static final Pattern JOB = Pattern.compile("jobs\\[(\\d{1,9})].*");

    public static Submission of(List<Draft> drafts, ArrayBody array, String as, Here here) {
        var bodies = new ArrayList<SpecBody>();
        var lines = new ArrayList<Lines>();
        for (Draft draft : drafts) {
            bodies.add(draft.body());
            lines.add(draft.lines());
        }
        return new Submission(bodies, lines, array, as, here);
    }

    /** One job that no file describes. */
    public static Submission of(SpecBody spec, Here here) {
        return new Submission(List.of(spec), List.of(Lines.none()), null, null, here);
    }

    public Answer<SubmitAnswer> submit(Session session)
            throws UsageException, Failure, Refused, IOException {
        return submit(session, false);
    }

    /** The same, but refused where a job could never start on its cluster. */
    public Answer<SubmitAnswer> submitIfItFits(Session session)
            throws UsageException, Failure, Refused, IOException {
        return submit(session, true);
    }

    private Answer<SubmitAnswer> submit(Session session, boolean ifItFits)
            throws UsageException, Failure, Refused, IOException {
        try {
            var client = session.client();
            return told(client.submit(bodies, array, as, here.body(), ifItFits), session);
        } catch (Refused e) {
            throw located(e);
        }
    }

    /** The one job in the place of another, which is aborted if it has not ended. */
    public Answer<SubmitAnswer> submitInstead(String old, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            var client = session.client();
            return told(client.submitInstead(old, bodies.getFirst(), here.body()), session);
        } catch (Refused e) {
            throw located(e);
        }
    }

    private static Answer<SubmitAnswer> told(Answer<SubmitAnswer> answer, Session session)
            throws IOException {
        List<String> warnings = answer.value().warnings();
        if (warnings != null) warnings.forEach(session::say);
        return answer;
    }

    public Answer<List<SpecBody>> dryRun(Session session)
            throws UsageException, Failure, Refused, IOException {
        return dryRun(session, false);
    }

    /** Fails where the cluster is too small. */
    public Answer<List<SpecBody>> dryRunIfItFits(Session session)
            throws UsageException, Failure, Refused, IOException {
        return dryRun(session, true);
    }

    private Answer<List<SpecBody>> dryRun(Session session, boolean ifItFits)
            throws UsageException, Failure, Refused, IOException {
        try {
            return session.client().dryRun(bodies, array, as, here.body(), ifItFits);
        } catch (Refused e) {
            throw located(e);
        }
    }

    private Failure located(Refused refused) throws Refused {
        ErrorBody body = refused.body();
        boolean isAboutSpec = refused.is(ErrorCode.INVALID) || refused.is(ErrorCode.NOT_FOUND);
        if (!isAboutSpec || body.field() == null) throw refused;
        Matcher job = JOB.matcher(body.field());
        int index = job.matches() ? Integer.parseInt(job.group(1)) : 0;
        String where =
                index < lines.size() ? lines.get(index).prefix(Refusal.path(body.field())) : "";
        return new Failure(ExitCode.USAGE, where + Refusal.problem(body));
    }
}
