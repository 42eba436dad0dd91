package fairlead.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Each package says in the last line of its package-info what it touches; here that line is held to
 * what its classes use and its sources import: no more, and no less. The compiler leaves no trace
 * of some imports: a constant's, or that of a type whose values are only passed on. The benchmarks
 * in bench/jmh are left out: a build has their classes only when they are asked for.
 */
class RoomsTest {
    private static final String OURS = "fairlead.";

    private static final String MAIN = "src/main/java/";

    private static final Pattern LINE =
            Pattern.compile("(?s)Touches: (.*?)\\.\\s*\\*/\\s*package ");

    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?([a-z0-9_.]+)\\.[A-Z]");

    /** Made by the JSON library from the records of api, which they know and are known by. */
    private static final String GENERATED = "fairlead.api.jsonb";

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("fairlead")
                    .that(
                            DescribedPredicate.describe(
                                    "are written by hand",
                                    each -> !each.getPackageName().equals(GENERATED)));

    private static final List<Path> SOURCES = sources();

    private static final Map<String, Set<String>> USES = uses();

    static Set<String> rooms() {
        return USES.keySet();
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aRoomTouchesWhatItsLineSays(String room) {
        Set<String> said = new TreeSet<>();
        for (String word : line(room).split(",\\s*"))
            if (!word.equals("nothing"))
                said.add(rooms().contains(OURS + word) ? OURS + word : word);
        var used = new TreeSet<String>();
        for (String each : USES.get(room))
            used.add(
                    said.stream()
                            .filter(
                                    word ->
                                            !word.startsWith(OURS)
                                                    && (each + ".").startsWith(word + "."))
                            .findAny()
                            .orElse(each));
        assertEquals(said, used);
    }

    /** A module that is missing in this one's pom would otherwise go unread. */
    @Test
    void everyPackageIsARoom() {
        var packages = new TreeSet<String>();
        for (Path source : SOURCES)
            if (source.endsWith("package-info.java")) packages.add(packageOf(source));
        assertEquals(packages, rooms());
    }

    private static String packageOf(Path info) {
        String folder = info.getParent().toString();
        return folder.substring(folder.indexOf(MAIN) + MAIN.length()).replace('/', '.');
    }

    @Test
    void noRoomsTouchEachOtherInACircle() {
        var left = new TreeSet<>(rooms());
        // Who touches none of those left is in no circle; what remains in the end is.
        while (left.removeIf(room -> USES.get(room).stream().noneMatch(left::contains))) {}
        assertEquals(Set.of(), left);
    }

    /** A dialect is mounted: what knows it in the server is the mount, and its own facade. */
    @Test
    void aRoomOfTheServerKnowsNoDialectButItsOwn() {
        String server = OURS + "server.";
        String dialects = OURS + "dialects.";
        var known = new TreeSet<String>();
        for (String room : rooms()) {
            if (!room.startsWith(server)) continue;
            String own = dialects + room.substring(server.length());
            for (String each : USES.get(room))
                if (each.startsWith(dialects) && !each.equals(own)) known.add(room + ": " + each);
        }
        assertEquals(Set.of(), known);
    }

    /** Other packages that the classes of each use. */
    private static Map<String, Set<String>> uses() {
        var uses = new TreeMap<String, Set<String>>();
        for (JavaClass each : CLASSES) {
            String room = each.getPackageName();
            Set<String> others = uses.computeIfAbsent(room, _ -> new TreeSet<>());
            each.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(target -> !target.isPrimitive())
                    .map(JavaClass::getPackageName)
                    .forEach(others::add);
        }
        uses.forEach((room, others) -> others.addAll(imports(room)));
        uses.forEach((room, others) -> others.removeIf(other -> !isToBeNamed(other, room)));
        return uses;
    }

    private static boolean isToBeNamed(String other, String room) {
        return !other.equals(room)
                && !other.equals(GENERATED)
                && !other.startsWith("java.")
                && !other.startsWith("javax.");
    }

    private static Set<String> imports(String room) {
        var imports = new TreeSet<String>();
        Path folder = folder(room);
        for (Path source : SOURCES) {
            if (source.getParent().endsWith(folder))
                IMPORT.matcher(text(source)).results().forEach(each -> imports.add(each.group(1)));
        }
        return imports;
    }

    private static List<Path> sources() {
        try {
            return TidyTest.sources();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private static String text(Path source) {
        try {
            return Files.readString(source);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private static Path folder(String room) {
        return Path.of(MAIN, room.replace('.', '/'));
    }

    private static String line(String room) {
        Path file = folder(room).resolve("package-info.java");
        Path info =
                SOURCES.stream()
                        .filter(each -> each.endsWith(file))
                        .findAny()
                        .orElseThrow(() -> new AssertionError(room + " has no package-info"));
        var found = LINE.matcher(text(info));
        assertTrue(found.find(), () -> info + " does not end with \"Touches: ...\"");
        return found.group(1).replaceAll("\\s*\\n\\s*\\* ?", " ").strip();
    }

    /** Time and chance are handed in, or a simulation could not repeat itself. */
    @Test
    void whatDecidesReadsNoClockAndThrowsNoDice() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "fairlead.job", "fairlead.cluster", "fairlead.policy..", "fairlead.control")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(java.util.UUID.class, "randomUUID")
                .check(CLASSES);
    }

    @Test
    void whatDecidesTouchesNoFileNoNetworkAndStartsNoThread() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "fairlead.job", "fairlead.cluster", "fairlead.policy..", "fairlead.control")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.nio.file..", "java.net..", "java.sql..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(CLASSES);
    }
}
