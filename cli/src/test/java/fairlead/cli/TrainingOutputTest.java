package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ProgressBody;
import fairlead.api.ReceiptBody;
import fairlead.api.SetbacksBody;
import fairlead.api.SpeedBody;
import fairlead.cli.terminal.Words;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.List;

/** What the verbs print about training jobs, letter by letter. */
class TrainingOutputTest {
    private static final String TRAINING = "train_1763179200_0000000b";

    private FakeServer server;
    private Shell shell;
    private FakeJob job;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.environment.put("TZ", "Asia/Tokyo");
        job = server.add(new FakeJob(TRAINING, "running"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String output(String... words) {
        return shell.type(words).output();
    }

    @Test
    void listHasAColumnForEpochsWhereAJobTrains() {
        server.add(new FakeJob("other_1763179200_0000000c", "running"));
        assertFalse(output("list").contains("EPOCHS"));
        job.trains(new ProgressBody(7, 20, null, null));
        assertEquals(
                """
                ID                         STATE    PLACE  START  GPUS  EPOCHS  OWNER  AGE  TIME  COMMAND
                other_1763179200_0000000c  running  -      -      1     -       ann    1h   30m   python3 train.py --lr 0.1
                train_1763179200_0000000b  running  -      -      1     7/20    ann    1h   30m   python3 train.py --lr 0.1
                """,
                output("list"));
    }

    @Test
    void describeTellsHowFarItIs() {
        job.trains(new ProgressBody(0, 20, null, null));
        assertTrue(output("describe", "0b").contains("\nProgress   epoch 0 of 20\n"));
        job.trains(new ProgressBody(7, 20, "2025-11-15T04:53:10.5Z", 5_583_457_484L));
        assertTrue(
                output("describe", "0b")
                        .contains(
                                "\n"
                                        + "Progress   epoch 7 of 20, last checkpoint"
                                        + " 2025-11-15 13:53:10 (6m ago), GPU memory peak 5.2G\n"),
                output("describe", "0b"));
    }

    @Test
    void describeTellsWhatPreemptionsHaveCost() {
        job.setbacks =
                new SetbacksBody(
                        130.25,
                        List.of(
                                new ReceiptBody(
                                        "2025-11-15T04:05:00Z",
                                        "bob_1763179100_0000000d",
                                        "its project claims its quota",
                                        130),
                                new ReceiptBody(
                                        "2025-11-15T04:35:00Z",
                                        TRAINING,
                                        "it goes on with fewer GPUs, to make room for"
                                                + " bob_1763179100_0000000d",
                                        0)));
        String described = output("describe", "0b");
        assertTrue(
                described.contains(
                        """

                        Preempted
                          - 2025-11-15 13:05:00 for bob_1763179100_0000000d (its project claims its quota): lost 2m 10s
                          - 2025-11-15 13:35:00 (it goes on with fewer GPUs, to make room for bob_1763179100_0000000d): lost nothing: stopped at a checkpoint
                          in all 2m 10s of work lost; the fair order counts it as time waited
                        """),
                described);
        String yaml = output("list", "-o", "yaml", TRAINING);
        assertTrue(
                yaml.contains("\nsetbacks:\n  lostSeconds: 130.25\n  receipts:\n    - at: "), yaml);
        assertEquals(yaml, output("runai", "describe", "job", TRAINING, "-o", "yaml"));
        job.setbacks = null;
        assertFalse(output("describe", "0b").contains("Preempted"));
    }

    @Test
    void profileIsATableAndAPlot() {
        shell.environment.put("COLUMNS", "60");
        job.speeds =
                List.of(
                        new SpeedBody(1, 1, false, 12.512, 0.012345, 5, 1, true),
                        new SpeedBody(1, 1, true, 21.0, 0.0213, 2, 0.5958, true),
                        new SpeedBody(1, 2, false, 6.6, 0.0131, 3, 1.8958, true),
                        new SpeedBody(2, 4, false, 4.125, null, 20, 3.0333, false));
        job.gpuMemoryBytes = 5_583_457_484L;
        assertEquals(
                """
                NODES  GPUS  SHARED  S/EPOCH  S/STEP  EPOCHS  SPEED-UP  EFFICIENCY  MEASURED BY
                1      1     no      12.51    0.0123  5       1         100%        this job
                1      1     yes     21       0.0213  2       0.596     60%         this job
                1      2     no      6.6      0.0131  3       1.9       95%         this job
                2      4     no      4.13     -       20      3.03      76%         earlier jobs

                Speed-up by GPUs; | is in proportion to them
                1 GPU              ########|  1
                1 GPU, shared      #####   |  0.596
                2 GPUs             #################|  1.9
                4 GPUs on 2 nodes  ###########################       |  3.03

                GPU memory peak: 5.2G

                Rows of earlier jobs come from runs of the same script with the same batch size.
                """,
                output("profile", "0b"));
    }

    @Test
    void aPlotShowsWhatIsMissingToTheIdeal() {
        job.speeds =
                List.of(
                        new SpeedBody(1, 2, false, 10, null, 3, 1, true),
                        new SpeedBody(1, 8, false, 5, null, 3, 2, true));
        shell.environment.put("COLUMNS", "34");
        assertTrue(
                output("profile", "0b")
                        .endsWith(
                                """
                                2 GPUs  ####|  1
                                8 GPUs  ##########         |  2
                                """),
                output("profile", "0b"));
        assertTrue(output("profile", "0b").contains("2         50% "), output("profile", "0b"));
    }

    @Test
    void aPlotFitsItsTerminalAndIsColouredThereOnly() {
        job.speeds = List.of(new SpeedBody(1, 1, false, 10, null, 3, 1, true));
        assertEquals(80, lastLine().length() + 3);
        shell.environment.put("COLUMNS", "1000");
        assertEquals(120, lastLine().length() + 3);
        shell.environment.put("COLUMNS", "3");
        assertEquals("1 GPU  #########|  1", lastLine());
        shell.terminal = true;
        assertEquals("1 GPU  \u001b[36m#########|\u001b[0m  1", lastLine());
        shell.environment.put("NO_COLOR", "1");
        assertEquals("1 GPU  #########|  1", lastLine());
    }

    private String lastLine() {
        return output("profile", "0b").lines().toList().getLast();
    }

    @Test
    void withoutAMeasurementThereIsOneSentence() {
        assertEquals(
                TRAINING
                        + ": nothing has been measured yet; a script that reports its epochs is"
                        + " measured from the first one on\n",
                output("profile", "0b"));
    }

    @Test
    void aJobThatDoesNotTrainHasOneSentenceToo() {
        job.speeds = null;
        String sentence = TRAINING + " was not submitted as a training job\n";
        assertEquals(sentence, output("profile", "0b"));
        var program = shell.type("profile", "--json", "0b");
        assertEquals(4, program.code());
        assertEquals("fairlead: " + sentence, program.err());
        assertEquals(2, shell.type("profile", "none").code());
    }

    @Test
    void profileGivesTheBodyAsItIs() {
        job.speeds = List.of(new SpeedBody(1, 1, false, 10, null, 3, 1, true));
        assertTrue(
                output("profile", "--json", "0b")
                        .startsWith("{\"id\":\"" + TRAINING + "\",\"rows\":[{\"nodes\":1,"));
    }

    @ParameterizedTest
    @CsvSource({
        "0.0123456, 0.0123",
        "1, 1",
        "1.8949, 1.89",
        "12.512, 12.51",
        "3671.4, 3671",
        "123456, 123456",
        "0, -",
        "NaN, -"
    })
    void measurementsHaveAsManyDigitsAsTheyDeserve(double number, String text) {
        assertEquals(text, Words.significant(number));
    }

    @ParameterizedTest
    @CsvSource({
        "0.2, less than 1s",
        "45.4, 45s",
        "130, 2m 10s",
        "3600, 1h 0m",
        "11100, 3h 5m",
        "180000, 2d 2h"
    })
    void spansHaveTwoUnits(double seconds, String text) {
        assertEquals(text, Words.span(seconds));
    }

    @ParameterizedTest
    @CsvSource({"104857600, 100M", "8589934592, 8G", "5583457484, 5.2G"})
    void sizesHaveTheUnitThatFits(long bytes, String text) {
        assertEquals(text, Words.size(bytes));
    }
}
