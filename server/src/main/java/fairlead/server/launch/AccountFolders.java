package fairlead.server.launch;

import fairlead.job.JobSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where the folders are that the server makes for tasks: in its home, and for tasks that run as
 * another account in a place that all accounts can enter, as the home is closed to them.
 */
final class AccountFolders {
    /** Only a server of root's runs jobs as other accounts. */
    private static final Path FOR_OTHERS = Path.of("/var/lib/fairlead");

    private static final Set<PosixFilePermission> PASSABLE =
            PosixFilePermissions.fromString("rwx--x--x");

    private AccountFolders() {}

    /**
     * Where the folders of a job are.
     *
     * @param ours where they would be if the tasks ran as the server's account
     */
    static Path place(Path ours, JobSpec spec) {
        return otherAccount(spec).isPresent() ? forOthers(ours) : ours;
    }

    /** Where the folders of a job may be. */
    static List<Path> places(Path ours) {
        return places(ours, forOthers(ours));
    }

    /**
     * @param others where they may only be if the server's account has made that folder: on a
     *     machine where root has run a server too, it is that one's
     */
    static List<Path> places(Path ours, Path others) {
        return isOwn(others) ? List.of(ours, others) : List.of(ours);
    }

    private static boolean isOwn(Path folder) {
        try {
            return Files.getOwner(folder).getName().equals(System.getProperty("user.name"));
        } catch (IOException _) {
            return false;
        }
    }

    private static Path forOthers(Path ours) {
        return FOR_OTHERS.resolve(ours.getFileName());
    }

    /** The account that the tasks run as, where it differs from the server's. */
    static Optional<String> otherAccount(JobSpec spec) {
        return spec.user().filter(name -> !name.equals(System.getProperty("user.name")));
    }

    /** Makes a folder that all accounts can pass through, and those above it. */
    static void makePassable(Path folder) throws IOException {
        if (Files.isDirectory(folder)) return;
        makePassable(folder.getParent());
        Files.createDirectory(folder);
        // Whatever the umask is.
        Files.setPosixFilePermissions(folder, PASSABLE);
    }

    /** Makes the account of the tasks the owner. Links are followed, so none may be among them. */
    static void give(Iterable<Path> files, JobSpec spec) throws IOException {
        Optional<String> account = otherAccount(spec);
        if (account.isEmpty()) return;
        UserPrincipal owner =
                FOR_OTHERS
                        .getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(account.get());
        for (Path file : files) Files.setOwner(file, owner);
    }
}
