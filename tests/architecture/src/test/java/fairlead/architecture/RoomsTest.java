package fairlead.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The arrows of docs/ARCHITECTURE.md: what each room may touch, and nothing else. */
class RoomsTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("fairlead");

    static Stream<Arguments> rooms() {
        return Stream.of(
                room("fairlead.job"),
                room("fairlead.cluster", "fairlead.job"),
                room("fairlead.policy", "fairlead.job", "fairlead.cluster"),
                room("fairlead.engine", "fairlead.job", "fairlead.cluster"),
                room("fairlead.storage", "fairlead.job"),
                room("fairlead.journal", "fairlead.job"),
                room(
                        "fairlead.control",
                        "fairlead.job",
                        "fairlead.cluster",
                        "fairlead.policy",
                        "fairlead.engine",
                        "fairlead.journal"),
                room("fairlead.justice", "fairlead.job", "fairlead.cluster"),
                room(
                        "fairlead.simulator",
                        "fairlead.job",
                        "fairlead.cluster",
                        "fairlead.policy",
                        "fairlead.engine",
                        "fairlead.journal",
                        "fairlead.control",
                        "fairlead.justice"),
                room(
                        "fairlead.engines.local..",
                        "fairlead.job",
                        "fairlead.cluster",
                        "fairlead.engine"),
                room(
                        "fairlead.engines.kubernetes",
                        "fairlead.job",
                        "fairlead.cluster",
                        "fairlead.engine",
                        "io.fabric8.kubernetes.."),
                room("fairlead.storage.file", "fairlead.storage"),
                room(
                        "fairlead.storage.azureblob",
                        "fairlead.storage",
                        "com.azure..",
                        "reactor.core.."),
                room("fairlead.storage.hdfs", "fairlead.storage", "org.apache.hadoop.."),
                room(
                        "fairlead.api",
                        "fairlead.api.jsonb",
                        "io.avaje.jsonb..",
                        "io.avaje.json..",
                        "javax.net.ssl"),
                room("fairlead.api.launch", "fairlead.api"),
                room(
                        "fairlead.dialects.act",
                        "fairlead.api",
                        "fairlead.api.launch",
                        "io.avaje.json..",
                        "javax.crypto..",
                        "org.snakeyaml.engine.."),
                room("fairlead.dialects.act.log"),
                room("fairlead.dialects.dlscheduler", "fairlead.api"),
                room(
                        "fairlead.dialects.openpai",
                        "fairlead.api",
                        "fairlead.api.launch",
                        "io.avaje.json.."),
                room("fairlead.dialects.pods", "fairlead.api", "org.snakeyaml.engine.."),
                room("fairlead.dialects.runai", "fairlead.api"),
                room(
                        "fairlead.transfer",
                        "fairlead.transfer.pack",
                        "com.sun.net.httpserver",
                        "fairlead.storage",
                        "fairlead.storage.file",
                        "fairlead.dialects.act"),
                room("fairlead.transfer.pack", "fairlead.storage"),
                room(
                        "fairlead.cli..",
                        "fairlead.api",
                        "fairlead.dialects..",
                        "io.avaje.json..",
                        "org.snakeyaml.engine.."));
    }

    @ParameterizedTest(name = "{0} touches {1}")
    @MethodSource("rooms")
    void aRoomTouchesOnlyWhatItsLineSays(String room, List<String> mayTouch) {
        var allowed = new ArrayList<>(mayTouch);
        allowed.add(room);
        allowed.add("java..");
        allowed.add("javax.annotation.processing");
        classes()
                .that()
                .resideInAPackage(room)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed.toArray(String[]::new))
                .check(CLASSES);
    }

    /** Time and chance are handed in, or a simulation could not repeat itself. */
    @Test
    void whatDecidesReadsNoClockAndThrowsNoDice() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "fairlead.job", "fairlead.cluster", "fairlead.policy", "fairlead.control")
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
                        "fairlead.job", "fairlead.cluster", "fairlead.policy", "fairlead.control")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.nio.file..", "java.net..", "java.sql..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(CLASSES);
    }

    private static Arguments room(String name, String... mayTouch) {
        return Arguments.of(name, List.of(mayTouch));
    }
}
