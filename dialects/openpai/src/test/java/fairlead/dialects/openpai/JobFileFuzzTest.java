package fairlead.dialects.openpai;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonProcessingException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Goal: no text makes the reader fail in another way than {@link Invalid}, and nothing is taken
 * that the schema forbids. Method: Jazzer changes the real files and watches which code they reach.
 * What it finds it puts beside the resources, and from then on that is tried first.
 */
@Tag("slow")
class JobFileFuzzTest {
    static Stream<byte[]> realFiles() throws IOException {
        var files = Stream.<byte[]>builder();
        for (Path file : JobFileTest.realFiles()) files.add(Files.readAllBytes(file));
        return files.build();
    }

    @MethodSource("realFiles")
    @FuzzTest
    void aFileIsReadOrRefused(byte[] data) throws JsonProcessingException {
        String text = new String(data, StandardCharsets.UTF_8);
        JobFile read;
        try {
            read = JobFile.ofFile(text);
        } catch (Invalid _) {
            return;
        }
        Schema.check(text, read.submitted());
    }
}
