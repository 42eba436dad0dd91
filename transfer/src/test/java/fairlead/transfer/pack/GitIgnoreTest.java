package fairlead.transfer.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.testing.Seeds;

import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Goal: a .gitignore means here what it means to git. Method: random trees and random patterns from
 * a seed, compared with the real {@code git check-ignore}.
 */
class GitIgnoreTest {
    /** Few names of few letters, so that patterns often meet. */
    private static final List<String> NAMES =
            List.of(
                    "a", "b", "ab", "a.o", "b.o", "x y", "[a]", "a*", "#c", "!d", "build", "c-1",
                    "ä");

    private static final List<String> ATOMS =
            List.of(
                    "a",
                    "b",
                    "ab",
                    "*",
                    "**",
                    "?",
                    "*.o",
                    "a*",
                    "*b",
                    "[ab]",
                    "[!a]",
                    "[^b]",
                    "[a-c]",
                    "[]a]",
                    "[[:alpha:]]",
                    "[a",
                    "\\[a]",
                    "\\*",
                    "a\\*",
                    "\\a",
                    "build",
                    "x y",
                    "x\\ ",
                    "#c",
                    "\\#c",
                    "!d",
                    "\\!d",
                    "c-1",
                    "[0-9]",
                    "[[:digit:]x]",
                    "**b",
                    "a**",
                    "***",
                    "ä",
                    "\\",
                    "[a-]",
                    "[[:nonsense:]]",
                    "*a*b*");

    @Seeds(40)
    void aTreeLeavesOutWhatGitIgnores(long seed, @TempDir Path top) throws Exception {
        var dice = new SplittableRandom(seed);
        var files = new ArrayList<String>();
        grow(top, "", 2, dice, files);
        run(top, "", "git", "init", "-q");
        var ignored = new TreeSet<String>();
        String input = String.join("\0", files) + "\0";
        String answer = run(top, input, "git", "check-ignore", "--no-index", "-z", "--stdin");
        for (String path : answer.split("\0")) if (!path.isEmpty()) ignored.add(path);
        var wanted = new TreeSet<>(files);
        wanted.removeAll(ignored);
        var found = new TreeSet<String>();
        for (Found each : Tree.of(top, List.of(), ZipPatterns.NONE).found()) {
            if (each.kind() != Found.Kind.FOLDER) found.add(each.path());
        }
        var differing = new TreeSet<>(wanted);
        differing.removeAll(found);
        var tooMany = new TreeSet<>(found);
        tooMany.removeAll(wanted);
        differing.addAll(tooMany);
        assertEquals(new TreeSet<>(), differing, () -> rules(top));
    }

    private static void grow(
            Path folder, String path, int depth, SplittableRandom dice, List<String> files)
            throws IOException {
        Files.createDirectories(folder);
        for (String name : NAMES) {
            if (dice.nextInt(2) == 0) continue;
            Path child = folder.resolve(name);
            boolean isFolder = depth > 0 && dice.nextInt(3) == 0;
            if (isFolder) {
                grow(child, path + name + "/", depth - 1, dice, files);
            } else {
                if (dice.nextInt(10) == 0) Files.createSymbolicLink(child, Path.of("."));
                else Files.createFile(child);
                files.add(path + name);
            }
        }
        if (!path.isEmpty() && dice.nextInt(3) > 0) return;
        Path rules = folder.resolve(".gitignore");
        Files.writeString(rules, patterns(dice));
        files.add(path + ".gitignore");
    }

    private static String patterns(SplittableRandom dice) {
        var text = new StringBuilder(dice.nextInt(10) == 0 ? "\uFEFF" : "");
        int lines = 1 + dice.nextInt(6);
        for (int i = 0; i < lines; i++) {
            if (dice.nextInt(3) == 0) text.append('!');
            if (dice.nextInt(4) == 0) text.append('/');
            int parts = 1 + dice.nextInt(3);
            for (int p = 0; p < parts; p++) {
                if (p > 0) text.append('/');
                text.append(ATOMS.get(dice.nextInt(ATOMS.size())));
                if (dice.nextInt(6) == 0) text.append(ATOMS.get(dice.nextInt(ATOMS.size())));
            }
            if (dice.nextInt(5) == 0) text.append('/');
            if (dice.nextInt(8) == 0) text.append(' ');
            text.append(dice.nextInt(10) == 0 ? "\r\n" : "\n");
        }
        return text.toString();
    }

    private static String rules(Path top) {
        var text = new StringBuilder();
        try (Stream<Path> all = Files.walk(top)) {
            for (Path file : all.filter(each -> each.endsWith(".gitignore")).toList())
                text.append(top.relativize(file)).append(":\n").append(Files.readString(file));
        } catch (IOException problem) {
            text.append(problem);
        }
        return text.toString();
    }

    private static String run(Path folder, String input, String... words)
            throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("GIT_CONFIG_SYSTEM", "/dev/null");
        Process process = builder.start();
        Thread writer =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try (var out = process.getOutputStream()) {
                                        out.write(input.getBytes(StandardCharsets.UTF_8));
                                    } catch (IOException _) {
                                        // It ended early; its words say why.
                                        return;
                                    }
                                });
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        writer.join();
        assertEquals(true, process.waitFor(30, TimeUnit.SECONDS));
        return answer;
    }
}
