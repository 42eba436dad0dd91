package fairlead.server.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import fairlead.api.report.ReportBody;
import fairlead.api.report.UseBody;
import fairlead.cluster.Rules;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;
import fairlead.journal.Fact;
import fairlead.journal.JournalException;
import fairlead.journal.MemoryJournal;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Four GPUs; the hours of a day are counted from midnight. */
class UseReportTest {
    private static final Instant MIDNIGHT = Instant.parse("2026-01-01T00:00:00Z");

    private final MemoryJournal journal = new MemoryJournal();
    private final List<Job> unfinished = new ArrayList<>();
    private int jobs;

    private static Instant at(double hour) {
        return MIDNIGHT.plusMillis(Math.round(hour * 3_600_000));
    }

    /** Submitted at the first hour; each further pair is an attempt. One without an end runs. */
    private void job(String owner, String project, int gpus, Verdict end, double... hours)
            throws JournalException {
        JobSpec spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "job";
                            edit.cluster = "local";
                            edit.project = project;
                            edit.roles =
                                    List.of(
                                            new Role(
                                                    "main",
                                                    1,
                                                    List.of("true"),
                                                    new Resources(gpus, 0, 0),
                                                    OptionalInt.of(1),
                                                    OptionalInt.empty()));
                            edit.workingFolder = "/";
                            edit.retries = 9;
                        });
        var id = JobId.of("job", at(hours[0]), jobs++);
        Job job = Job.submitted(id, spec, owner, at(hours[0]), Optional.empty(), Optional.empty());
        var events = new ArrayList<Event>(List.of(new Event.Submitted(at(hours[0]))));
        for (int i = 1; i < hours.length; i += 2) {
            var attempt = new AttemptId(id, (i + 1) / 2);
            var task = new TaskPlacement(new TaskId("main", 0), "n", all(gpus));
            events.add(
                    new Event.AttemptPlaced(
                            at(hours[i]), new Attempt(attempt, new Placement(List.of(task)))));
            events.add(new Event.AttemptStarted(at(hours[i]), attempt));
            if (i + 1 == hours.length) break;
            boolean isLast = i + 2 == hours.length;
            Verdict verdict = isLast ? end : new Verdict.Failed(1, "again");
            events.add(new Event.AttemptEnded(at(hours[i + 1]), attempt, verdict));
        }
        var facts = new ArrayList<Fact>();
        for (Event event : events) {
            facts.add(new Fact(id, event));
            if (!(event instanceof Event.Submitted)) job = JobMachine.next(job, event);
        }
        journal.commit(facts, List.of(job));
        if (!job.isFinished()) unfinished.add(job);
    }

    private static List<Share> all(int gpus) {
        return IntStream.range(0, gpus).mapToObj(Share::whole).toList();
    }

    private ReportBody report(double from, double to, Project... projects) throws JournalException {
        var byName = new TreeMap<String, Project>();
        for (Project project : projects) byName.put(project.name(), project);
        return UseReport.of(journal, unfinished, Rules.NONE.with(byName), 4, at(from), at(to));
    }

    @Test
    void onlyWhatFallsIntoTheSpanCounts() throws JournalException {
        job("ann", "default", 2, new Verdict.Succeeded(), 0, 1, 5);
        job("ann", "default", 1, new Verdict.Succeeded(), 5, 5.5, 5.75, 6, 7);
        job("bob", "default", 1, new Verdict.Succeeded(), 0, 0.5, 1);
        job("bob", "default", 4, null, 7, 8);
        ReportBody report = report(4, 10);
        assertEquals(2 + 0.25 + 1 + 8, report.gpuHours());
        UseBody ann = report.people().getFirst();
        assertEquals("ann", ann.name());
        assertEquals(2, ann.jobs());
        assertEquals(3.25, ann.gpuHours());
        assertEquals(1_800, ann.waitSeconds(), "the first began before the span");
        assertEquals(8, report.people().getLast().gpuHours(), "it still runs");
        assertNull(report.projects().getFirst().lentHours(), "nobody has a quota");
    }

    @Test
    void whoEndsBeforeAnybodySawItRunCountsToo() throws JournalException {
        var id = JobId.of("job", at(1), jobs);
        job("ann", "default", 1, new Verdict.Failed(127, "exit code 127"), 1, 1, 1);
        List<Fact> seen = journal.history(id);
        Job job = journal.find(id).orElseThrow();
        assertEquals(
                List.of(new UseReport.Run(at(1), at(1), 1_000)),
                UseReport.runs(
                        job,
                        seen.stream()
                                .filter(fact -> !(fact.event() instanceof Event.AttemptStarted))
                                .toList(),
                        at(1)));
        UseBody ann = report(0, 4).people().getFirst();
        assertEquals(1, ann.jobs());
        assertEquals(0, ann.gpuHours());
        assertEquals(List.of(), report(0, 1).people(), "not yet");
    }

    @Test
    void whatIsAboveAQuotaIsBorrowedFromWhoDoesNotUseTheirs() throws JournalException {
        var lab = Project.named("lab").withQuota(OptionalInt.of(3));
        job("ann", "default", 4, new Verdict.Succeeded(), 0, 0, 2);
        job("cyd", "lab", 3, new Verdict.Succeeded(), 2, 2, 3);
        ReportBody report = report(0, 4, lab);
        UseBody others = report.projects().getFirst();
        assertEquals("default", others.name());
        assertEquals(8, others.borrowedHours());
        UseBody own = report.projects().getLast();
        assertEquals(3, own.quota());
        assertEquals(6, own.lentHours(), "one GPU is nobody's");
        assertEquals(0, own.borrowedHours());
    }
}
