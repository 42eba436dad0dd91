package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.api.launch.Misfit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Optional;

/** Where the files of a job are, and what becomes of them: items O17 to O22. */
class AddressesTest {
    private static Addresses of(String dataDir) throws Invalid {
        return Addresses.of(
                Jobs.read(Jobs.job("\"dataDir\": \"" + dataDir + "\"")), "ann", "hdfs://h:9000");
    }

    @ParameterizedTest
    @CsvSource({
        "hdfs://x/y,                                hdfs://x/y",
        "$PAI_DEFAULT_FS_URI/a,                     hdfs://h:9000/a",
        "/$PAI_USER_NAME/$PAI_USERNAME/a,           /ann/ann/a",
        "/$PAI_JOB_NAME/b,                          /sample/b",
        "$PAI_DEFAULT_FS_URI/$PAI_DEFAULT_FS_URI,   hdfs://h:9000/$PAI_DEFAULT_FS_URI",
        "$HOME/$PAI_OTHER,                          $HOME/$PAI_OTHER",
        "/$PAI_JOB_NAMEX/$PAI_JOB_NAME.x,           /$PAI_JOB_NAMEX/sample.x",
        "/$PAI_USERNAMES/$PAI_USER_NAME_2,          /$PAI_USERNAMES/$PAI_USER_NAME_2",
        "$PAI_DEFAULT_FS_URIS/$PAI_DEFAULT_FS_URI,  $PAI_DEFAULT_FS_URIS/hdfs://h:9000",
    })
    void o18NamesArePutIntoAddresses(String written, String meant) throws Invalid {
        assertEquals(meant, of(written).dataDir());
    }

    @Test
    void o18AllFourAddressesAreFilled() throws Invalid {
        var job =
                Jobs.read(
                        Jobs.job(
                                """
                                "authFile": "a/$PAI_USERNAME", "dataDir": "d/$PAI_USERNAME",
                                "outputDir": "o/$PAI_USERNAME", "codeDir": "c/$PAI_USERNAME\"\
                                """));
        assertEquals(
                new Addresses("a/ann", "d/ann", "o/ann", "c/ann"), Addresses.of(job, "ann", "f"));
    }

    @Test
    void o19OutputGoesToAFolderOfTheJobsNameUnlessItIsSaid() throws Invalid {
        assertEquals("hdfs://h:9000/Output/sample", of("").outputDir());
    }

    @Test
    void o17AnAuthFileHasThreeLines() throws Misfit {
        var login = new AuthFile("file:/login", "ann").read("docker.io\r\nann\nsecret word\n\n");
        assertEquals("docker.io", login.server());
        assertEquals("ann", login.user());
        assertEquals("secret word", login.password());
        assertEquals("ann@docker.io", login.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "docker.io\nann", "a\nb\nc\nd"})
    void o17OtherAuthFilesAreRefused(String text) {
        var misfit =
                assertThrows(Misfit.class, () -> new AuthFile("file:/login", "ann").read(text));
        assertEquals(
                "it must have three lines, registry, user and password, but has "
                        + text.lines().count(),
                misfit.problem());
    }

    private static CodeFolder code(String address) {
        return new CodeFolder(address, address, "ann");
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "200000000, true", "200000001, false"})
    void o20CodeIsNotEmptyAndBelow200Megabytes(long bytes, boolean isTaken) {
        assertEquals(isTaken, code("/code").refusal(bytes).isEmpty());
        assertEquals(
                Optional.of("/code is larger than 200MB, exit."),
                code("/code").refusal(200_000_001));
    }

    @ParameterizedTest
    @CsvSource({
        "hdfs://h:9000/ann/code,  code",
        "hdfs://h:9000/ann/code/, code",
        "/home/ann/my.code//,     my.code",
        "code,                    code",
    })
    void o21TheCodeFolderIsCalledAsItsLastPart(String codeDir, String name) throws Misfit {
        assertEquals(name, code(codeDir).name());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "hdfs://h:9000", "hdfs://h:9000/", "file:/", "/a/..", "/a/.", ""})
    void o21ACodeFolderHasAName(String codeDir) {
        assertThrows(Misfit.class, () -> code(codeDir).name());
    }
}
