package fairlead.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.api.ScriptRequest;
import fairlead.api.submit.BadForm;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.Place;
import fairlead.dialects.dlscheduler.PostedScript;
import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.StartCommand;
import fairlead.dialects.runai.LabScript;
import fairlead.job.Job;
import fairlead.job.JobSpec;
import fairlead.job.Origin;
import fairlead.journal.JournalFixtures;
import fairlead.server.bodies.JobBodies;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What the server shows of the jobs of each dialect that it mounts. */
class DialectsTest {
    private static final JobBodies JOBS = new JobBodies(Dialects.views());

    @Test
    void aCommandIsShownAsItsUserWroteIt() throws Exception {
        var role =
                JobFile.ofRequest(
                                """
                                {"jobName": "a", "image": "i", "taskRoles": [{"name": "main",
                                 "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0,
                                 "command": "python a.py && echo 'it is done'"}]}
                                """)
                        .job()
                        .taskRoles()
                        .getFirst();
        assertEquals("python a.py && echo 'it is done'", shown(StartCommand.words(role)));
        var lab = List.of("/opt/lab/setup_and_run_command.sh", "python a.py --lr 1");
        assertEquals(
                "/opt/lab/setup_and_run_command.sh 'python a.py --lr 1'",
                shown(LabScript.wrapped(lab)));
        var posted =
                new ScriptRequest(
                        "a", null, "/exp/a.py", "/tmp", null, null, 1, null, null, null, null);
        assertEquals(
                "python /exp/a.py",
                shown(PostedScript.spec(posted, Optional.empty(), true).command()));
        assertEquals("echo $HOME", shown(List.of("sh", "-c", "echo $HOME")));
    }

    @Test
    void aListHasTheBeginningOfALongCommandAndTheJobAllOfIt() {
        var command = List.of("python3", "pipes.py", "-bp", "Y".repeat(972));
        assertEquals(200, shown(command).length());
        Job job = job(JournalFixtures.spec().withRoles(role -> role.running(command)));
        assertEquals(
                String.join(" ", command),
                JOBS.job(job, Optional.empty(), Optional.empty(), JobBodies.Command.WHOLE)
                        .command());
        assertNull(
                JOBS.job(job, Optional.empty(), Optional.empty(), JobBodies.Command.NONE)
                        .command());
    }

    private static String shown(List<String> command) {
        return JOBS.job(job(JournalFixtures.spec().withRoles(role -> role.running(command))))
                .command();
    }

    @Test
    void aJobOfActShowsItsConfigFile() {
        var act =
                new ActJob(
                        "aml",
                        1,
                        1,
                        1,
                        false,
                        new Place.File("/code.zip"),
                        Map.of(),
                        "",
                        false,
                        false);
        var origin = new Origin(ActOrigin.DIALECT, act.toJson(), "");
        JobSpec spec = JournalFixtures.spec();
        JobSpec made = spec.with(edit -> edit.origin = Optional.of(origin));
        assertEquals("aml", JOBS.job(job(made)).config());
        assertNull(JOBS.job(job(spec)).config());
        assertNull(JOBS.job(JournalFixtures.fromElsewhere(1, "ann~a")).config());
    }

    @Test
    void aPostedJobOfOpenPaiIsUnderItsSendersName() throws Exception {
        var jobs =
                Dialects.forms()
                        .files()
                        .read(
                                """
                                {"jobName": "a", "image": "i", "taskRoles": [{"name": "main",
                                 "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0,
                                 "command": "true"}]}
                                """,
                                "ann");
        assertEquals("openpai", jobs.getFirst().kind());
        assertEquals("ann~a", jobs.getFirst().spec().origin().key());
    }

    @Test
    void everyPostedFormNamesWhatItCannotMean() {
        var forms = Dialects.forms();
        var file =
                assertThrows(
                        BadForm.class, () -> forms.files().read("name: a\ncomand: b\n", "ann"));
        assertEquals(OptionalInt.of(2), file.line());
        var nothing =
                new ScriptRequest(null, null, null, null, null, null, null, null, null, null, null);
        var script =
                assertThrows(
                        BadForm.class,
                        () -> forms.scripts().spec(nothing, Optional.empty(), false));
        assertEquals("jobName is missing", script.getMessage());
    }

    private static Job job(JobSpec spec) {
        return JournalFixtures.job(1).asking(spec);
    }
}
