package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import java.util.stream.Stream;

class WordsTest {
    static Stream<Arguments> problems() {
        return Stream.of(
                Arguments.of("there is no /a", new NoSuchFileException("/a")),
                Arguments.of("no permission for /a", new AccessDeniedException("/a")),
                Arguments.of("/a is there already", new FileAlreadyExistsException("/a")),
                Arguments.of("/a is no folder", new NotDirectoryException("/a")),
                Arguments.of("/a is not empty", new DirectoryNotEmptyException("/a")),
                Arguments.of("disk full", new FileSystemException("/a", null, "disk full")),
                Arguments.of("/a", new FileSystemException("/a")),
                Arguments.of("interrupted", new ClosedByInterruptException()),
                Arguments.of("it broke", new IOException("it broke \nat once")),
                Arguments.of("IOException", new IOException(" ")),
                Arguments.of("IOException", new IOException()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("problems")
    void aProblemIsToldInOneLine(String words, IOException problem) {
        assertEquals(words, Words.of(problem));
        assertEquals("x: " + words, Ended.failed("x", problem).getMessage());
    }

    @Test
    void anAccessTellsNoSecret() {
        var access =
                new Access(
                        "ann",
                        Optional.of("key"),
                        Optional.of("sas"),
                        Optional.of("http://host/x?sig=secret"));
        assertEquals(
                "Access[user=ann, key=given, sas=given, endpoint=http://host/x]",
                access.toString());
        assertEquals(
                "Access[user=ann, key=none, sas=none, endpoint=none]", Access.as("ann").toString());
    }
}
