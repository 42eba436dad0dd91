package fairlead.server.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.testing.Root;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class AccountFoldersTest {
    @TempDir Path folder;

    @Test
    void aFolderOfAnotherServersAccountHoldsNothingOfOurJobs() throws IOException {
        Path ours = folder.resolve("ours");
        Path others = folder.resolve("others");
        assertEquals(List.of(ours), AccountFolders.places(ours, others), "never made");
        Files.createDirectory(others);
        assertEquals(List.of(ours, others), AccountFolders.places(ours, others));
        Root.neededToMount();
        var accounts = folder.getFileSystem().getUserPrincipalLookupService();
        Files.setOwner(others, accounts.lookupPrincipalByName("nobody"));
        assertEquals(List.of(ours), AccountFolders.places(ours, others), "another's");
    }
}
