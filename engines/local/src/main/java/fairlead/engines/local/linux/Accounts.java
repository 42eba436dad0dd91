package fairlead.engines.local.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The accounts of this machine, from wherever the C library knows them (files, LDAP), and who we
 * are.
 */
public final class Accounts {
    /** An account, as the user database has it. */
    public record Account(String name, int uid, int gid, String home, String shell) {}

    private static final int ROOT = 0;

    /** Many times what the strings of one entry take. */
    private static final long BUFFER_BYTES = 64 * 1024;

    /** The larger part of struct passwd: name, password, uid, gid, comment, home, shell. */
    private static final long PASSWD_BYTES = 48;

    private static final long UID = 16;
    private static final long GID = 20;
    private static final long HOME = 32;
    private static final long SHELL = 40;

    private static final MethodHandle GETPWNAM =
            Linker.nativeLinker()
                    .downcallHandle(
                            Libc.find("getpwnam_r"),
                            FunctionDescriptor.of(
                                    JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));

    private Accounts() {}

    /** Whether this process may do anything on this machine, and so may whatever it starts. */
    public static boolean isRoot() {
        return Libc.effectiveUser() == ROOT;
    }

    /** Whether an account is root by this or another name. */
    public static boolean isRoot(String name) {
        return find(name).filter(account -> account.uid() == ROOT).isPresent();
    }

    public static Optional<Account> find(String name) {
        try (var arena = Arena.ofConfined()) {
            var entry = arena.allocate(PASSWD_BYTES, 8);
            var result = arena.allocate(ADDRESS);
            var buffer = arena.allocate(BUFFER_BYTES);
            int _ =
                    (int)
                            GETPWNAM.invokeExact(
                                    arena.allocateFrom(name), entry, buffer, BUFFER_BYTES, result);
            if (result.get(ADDRESS, 0).equals(MemorySegment.NULL)) return Optional.empty();
            return Optional.of(
                    new Account(
                            name,
                            entry.get(JAVA_INT, UID),
                            entry.get(JAVA_INT, GID),
                            text(entry, HOME),
                            text(entry, SHELL)));
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        }
    }

    private static String text(MemorySegment entry, long offset) {
        return entry.get(ADDRESS, offset).reinterpret(BUFFER_BYTES).getString(0);
    }

    /** Why a task cannot run as this account here; empty when it can. */
    public static Optional<String> refusal(String name) {
        return refusal(name, Libc.effectiveUser());
    }

    /** The same for a server of the account {@code self}. */
    public static Optional<String> refusal(String name, int self) {
        var account = find(name);
        if (account.isEmpty()) {
            return Optional.of("there is no account '" + name + "' on this machine");
        }
        if (account.get().uid() == self) return Optional.empty();
        if (self != ROOT) {
            return Optional.of(
                    "only a server that runs as root can run jobs as another account ('"
                            + name
                            + "')");
        }
        return setpriv().isPresent()
                ? Optional.empty()
                : Optional.of("running as another account needs the program setpriv (util-linux)");
    }

    /** The account to change to; empty when the task runs as whoever we are. */
    public static Optional<Account> other(Optional<String> name) {
        return name.flatMap(Accounts::find)
                .filter(account -> account.uid() != Libc.effectiveUser());
    }

    /** By its full path: a task's PATH must not choose what runs as root. */
    public static Optional<Path> setpriv() {
        return List.of(Path.of("/usr/bin/setpriv"), Path.of("/bin/setpriv")).stream()
                .filter(Files::isExecutable)
                .findFirst();
    }
}
