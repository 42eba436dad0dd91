package fairlead.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

class ReleaseTest {
    private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");

    @Test
    void isThatOfTheBuild() throws IOException {
        var found = VERSION.matcher(Files.readString(Path.of("../pom.xml")));
        assertTrue(found.find());
        assertEquals(found.group(1), Release.VERSION);
    }

    @Test
    void comparesNumbers() {
        assertTrue(Release.isNewer("0.10.0", "0.9.1"));
        assertTrue(Release.isNewer("1", "0.9"));
        assertTrue(Release.isNewer("0.1.1", "0.1"));
        assertFalse(Release.isNewer("0.1.0", "0.1"));
        assertFalse(Release.isNewer("0.1.0-rc1", "0.1.0"));
        assertFalse(Release.isNewer("nonsense", "0.0.1"));
    }
}
