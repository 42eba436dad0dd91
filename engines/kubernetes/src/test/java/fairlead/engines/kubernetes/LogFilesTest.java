package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.remote.TaskLogFiles;
import fairlead.engines.kubernetes.logs.LogPlace;
import fairlead.engines.kubernetes.logs.StampedLines;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Logs as files, and how a copy of a stamped log is taken up again. */
class LogFilesTest {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05.000000001Z");
    private static final long MAX = 8_000;

    @TempDir Path folder;

    /** The log as a kubelet gives it again: whole seconds only, some lines with the same stamp. */
    private record Source(String[] lines, Instant[] stamps) {
        static Source random(SplittableRandom dice) {
            int count = dice.nextInt(1, 30);
            var lines = new String[count];
            var stamps = new Instant[count];
            Instant time = START;
            for (int i = 0; i < count; i++) {
                time = time.plusNanos(dice.nextInt(3) == 0 ? 0 : dice.nextLong(900_000_000));
                stamps[i] = time;
                lines[i] = "x y ".repeat(dice.nextInt(5)) + i + (i < count - 1 ? "\n" : "");
            }
            return new Source(lines, stamps);
        }

        byte[] since(LogPlace place) {
            var text = new StringBuilder();
            for (int i = 0; i < lines.length; i++) {
                boolean isOld =
                        place.stamp().isPresent()
                                && stamps[i].getEpochSecond()
                                        < place.stamp().get().getEpochSecond();
                if (!isOld) text.append(stamps[i]).append(' ').append(lines[i]);
            }
            return text.toString().getBytes(UTF_8);
        }
    }

    /** Goal: no byte is lost or comes twice. Method: break off anywhere, note the place or not. */
    @Seeds(200)
    void aCopyThatBreaksOffIsTakenUpToTheByte(long seed) {
        var dice = new SplittableRandom(seed);
        var source = Source.random(dice);
        var copy = new ByteArrayOutputStream();
        LogPlace noted = LogPlace.START;
        for (int round = 0; round < 6; round++) {
            boolean isLast = round == 5;
            byte[] stream = source.since(noted);
            var lines = new StampedLines(noted, copy.size() - noted.logEnd());
            int length = isLast ? stream.length : dice.nextInt(stream.length + 1);
            copy.writeBytes(lines.take(stream, length));
            if (dice.nextBoolean()) noted = LogPlace.parse(lines.place(copy.size()).text());
        }
        assertEquals(String.join("", source.lines()), copy.toString(UTF_8));
    }

    @Test
    void aLineWithoutAStampIsTakenAsItIs() {
        var lines = new StampedLines(LogPlace.START, 0);
        byte[] text = "unable to retrieve\n2026-01-02T03:04:05Z two\n".getBytes(UTF_8);
        assertEquals("unable to retrieve\ntwo\n", new String(lines.take(text, text.length), UTF_8));
    }

    @Test
    void theOldestPartIsDroppedAndOffsetsStay() throws Exception {
        var log = new TaskLogFiles(folder.resolve("log"));
        var whole = new ByteArrayOutputStream();
        for (int i = 0; i < 500; i++) {
            byte[] line = ("line " + i + " " + ".".repeat(50) + "\n").getBytes(UTF_8);
            log.append(line, line.length, MAX);
            whole.writeBytes(line);
        }
        assertEquals(whole.size(), log.end());
        assertTrue(log.end() - log.start() >= MAX, "at least the bound is kept");
        assertTrue(log.end() - log.start() < MAX * 5 / 4, "not much more is");
        byte[] kept = log.read(log.start(), 1 << 20);
        byte[] all = whole.toByteArray();
        assertArrayEquals(Arrays.copyOfRange(all, (int) log.start(), all.length), kept);
        assertArrayEquals(new byte[0], log.read(0, 100));
    }

    @Test
    void aNoteDoesNotCountAsCopied() throws Exception {
        var log = new TaskLogFiles(folder.resolve("log"));
        byte[] stream = "2026-01-02T03:04:05Z one two\n".getBytes(UTF_8);
        var first = new StampedLines(LogPlace.START, 0);
        byte[] some = first.take(stream, stream.length - 4);
        log.append(some, some.length, MAX);
        LogCopier.note(log, "a note", MAX);
        LogPlace noted = LogPlace.parse(log.place());
        byte[] rest =
                new StampedLines(noted, log.end() - noted.logEnd()).take(stream, stream.length);
        log.append(rest, rest.length, MAX);
        assertEquals("one \na note\ntwo\n", new String(log.read(0, 100), UTF_8));
    }

    @Test
    void anUnreadablePlaceIsTheStart() {
        assertEquals(LogPlace.START, LogPlace.parse(""));
        assertEquals(LogPlace.START, LogPlace.parse("yesterday 1 2 3"));
    }
}
