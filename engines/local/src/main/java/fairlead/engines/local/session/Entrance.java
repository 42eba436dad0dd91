package fairlead.engines.local.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engines.local.linux.Accounts;
import fairlead.engines.local.linux.Inherited;
import fairlead.engines.local.linux.Libc;
import fairlead.engines.local.linux.MountScript;
import fairlead.engines.local.linux.Processes;
import fairlead.engines.local.linux.Shim;
import fairlead.engines.local.task.ContainerRef;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The way from the server into the surroundings of a task: programs that become one another by
 * exec, the last of them the command. Everything is read off the task's own process, as a server
 * that has taken the task up does not know how it was started.
 *
 * @param arguments of {@link Shim#PROGRAM}
 * @param variables the task's own, with its mark; by this the command dies with the task
 * @param beside names the command where it is in a container; else empty
 */
record Entrance(
        List<String> arguments,
        List<byte[]> variables,
        Optional<Accounts.Account> account,
        String beside) {
    private static final String GROUP =
            """
            if [ -n "$1" ] && ! echo $$ >"$1"; then
                echo 'fairlead: the command cannot enter the control group of its task' >&2
                exit 126
            fi
            shift
            exec "$@"
            """;

    private static final String FOLDER =
            """
            cd "$1" 2>/dev/null || {
                printf 'fairlead: cannot enter the working folder %s\\n' "$1" >&2
                exit 126
            }
            unset OLDPWD
            shift
            exec "$@"
            """;

    /** Only these can be passed on by a shell; the task itself got its own by one. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final String ROOT_PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";

    /**
     * @param pid the task's command
     * @param group the file that takes the pid of whoever enters the control group; may be empty
     */
    static Entrance of(int pid, String mark, String group, ExecRequest request)
            throws IOException, EngineException {
        var spec = request.spec();
        var account = Accounts.other(spec.user());
        var variables = variables(pid, mark, request);
        String folder = spec.workingFolder();
        List<String> words = request.command();
        boolean mounted = !spec.container().mounts().isEmpty();
        if (mounted) {
            words = mounted(pid, account, inFolder(folder, words));
            folder = "/";
        }
        if (account.isPresent()) {
            String setpriv = Accounts.setpriv().orElseThrow().toString();
            words = Shim.dropped(account.get(), setpriv, folder, words);
            variables = veiled(variables, mark);
        } else if (!mounted) {
            words = inFolder(folder, words);
        }
        var arguments = new ArrayList<>(List.of("sh", "-c", GROUP, "fairlead", group));
        arguments.addAll(words);
        return new Entrance(List.copyOf(arguments), variables, account, "");
    }

    /**
     * By the program that runs the container, which leads into all of its namespaces and its
     * limits. The command outlives a program that is killed, so it bears a name of its own.
     */
    static Entrance into(
            ContainerRef container, String mark, Inherited inherited, ExecRequest request) {
        String beside = UUID.randomUUID().toString();
        var arguments = new ArrayList<>(List.of("sh", "-c", "exec \"$@\"", "fairlead"));
        arguments.addAll(List.of(container.program(), "exec", "--interactive"));
        arguments.add("--env=" + Processes.MARK + "=" + Processes.markBeside(mark, beside));
        request.window()
                .ifPresent(
                        window ->
                                arguments.addAll(List.of("--tty", "--env=TERM=" + window.kind())));
        arguments.add(container.id());
        arguments.addAll(request.command());
        var entries = new LinkedHashMap<>(inherited.entries());
        entries.put(Processes.MARK, entry(Processes.MARK, mark));
        return new Entrance(
                List.copyOf(arguments), List.copyOf(entries.values()), Optional.empty(), beside);
    }

    private static List<String> inFolder(String folder, List<String> words) {
        var all = new ArrayList<>(List.of(Shim.PROGRAM, "-c", FOLDER, "fairlead", folder));
        all.addAll(words);
        return all;
    }

    /**
     * Where the task has a user namespace, its mounts belong to one that only its own processes can
     * be in. The way in is then by its root folder, in a new namespace like the task's: the same
     * files, as the same account.
     */
    private static List<String> mounted(
            int pid, Optional<Accounts.Account> account, List<String> words)
            throws IOException, EngineException {
        var all = new ArrayList<String>();
        if (account.isEmpty() && hasOurUsers(pid)) {
            String nsenter = program("nsenter");
            // Without --root a server in a chroot would come out in the root of the machine.
            all.addAll(List.of(nsenter, "--target", Integer.toString(pid)));
            all.addAll(List.of("--mount", "--root", "--"));
        } else {
            int uid = account.map(Accounts.Account::uid).orElseGet(Libc::effectiveUser);
            int gid = account.map(Accounts.Account::gid).orElseGet(Libc::effectiveGroup);
            all.addAll(List.of(Shim.PROGRAM, "-c", FOLDER, "fairlead", "/proc/" + pid + "/root"));
            all.addAll(List.of(program("unshare"), "--user", "--map-user=" + uid));
            all.addAll(List.of("--map-group=" + gid, "--root=.", "--"));
        }
        all.addAll(words);
        return all;
    }

    private static boolean hasOurUsers(int pid) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/user"))
                .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/user")));
    }

    private static String program(String name) throws EngineException {
        return MountScript.program(name)
                .map(Path::toString)
                .orElseThrow(
                        () ->
                                new EngineException(
                                        "this machine lacks the program "
                                                + name
                                                + " (util-linux), which leads to the task's"
                                                + " mounts"));
    }

    private static List<byte[]> variables(int pid, String mark, ExecRequest request)
            throws IOException {
        var entries = new LinkedHashMap<String, byte[]>();
        for (byte[] entry : Processes.variables(pid)) entries.put(name(entry), entry);
        request.window().ifPresent(window -> entries.put("TERM", entry("TERM", window.kind())));
        entries.put(Processes.MARK, entry(Processes.MARK, mark));
        return List.copyOf(entries.values());
    }

    /** For programs that still run as root: see {@link Shim}. */
    private static List<byte[]> veiled(List<byte[]> variables, String mark) {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        var names = new ArrayList<String>();
        for (byte[] variable : variables) {
            String name = name(variable);
            if (!NAME.matcher(name).matches() || name.equals(Processes.MARK)) continue;
            names.add(name);
            entries.put(name, join("FAIRLEAD_VARIABLE_".getBytes(UTF_8), variable));
        }
        var all = new ArrayList<>(entries.values());
        all.add(ROOT_PATH.getBytes(UTF_8));
        all.add(entry("FAIRLEAD_VARIABLES", String.join(" ", names)));
        all.add(entry(Processes.MARK, mark));
        return all;
    }

    private static String name(byte[] entry) {
        return new String(entry, UTF_8).split("=", 2)[0];
    }

    private static byte[] entry(String name, String value) {
        return (name + "=" + value).getBytes(UTF_8);
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = new byte[first.length + second.length];
        System.arraycopy(first, 0, both, 0, first.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
