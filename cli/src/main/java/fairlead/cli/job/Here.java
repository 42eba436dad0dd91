package fairlead.cli.job;

import fairlead.api.HereBody;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.HostSystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a command is typed, as far as it concerns a job. The folders and programs of a laptop with
 * another system than the server's mean nothing to its jobs, so they stay here.
 *
 * @param folder by the name that the user's shell has for it, which may go through a symbolic link
 * @param environment the few variables that go along with every job that has no image
 */
public record Here(Path folder, Map<String, String> environment) {
    /** A short fixed list: the rest of a shell's environment may hold secrets. */
    private static final List<String> FORWARDED =
            List.of(
                    "PATH",
                    "VIRTUAL_ENV",
                    "CONDA_PREFIX",
                    "CONDA_DEFAULT_ENV",
                    "PYTHONPATH",
                    "LD_LIBRARY_PATH",
                    "LANG",
                    "LC_ALL",
                    "TZ");

    private static final List<String> FORWARDED_FROM_ELSEWHERE = List.of("LANG", "LC_ALL", "TZ");

    public static Here of(Session session) throws IOException {
        Map<String, String> shell = session.terminal().environment();
        var environment = new LinkedHashMap<String, String>();
        for (String name : HostSystem.isLinux() ? FORWARDED : FORWARDED_FROM_ELSEWHERE) {
            String value = shell.get(name);
            if (value != null) environment.put(name, value);
        }
        return new Here(
                folder(session.terminal().folder(), shell.getOrDefault("PWD", "")), environment);
    }

    private static Path folder(Path real, String shell) throws IOException {
        if (!shell.startsWith("/")) return real;
        Path named = Path.of(shell);
        return Files.isDirectory(named) && Files.isSameFile(named, real) ? named : real;
    }

    /** The absolute path of what a user calls so. */
    public String path(String name) {
        return folder.resolve(name).normalize().toString();
    }

    /** What goes along with a submit. */
    public HereBody body() {
        return new HereBody(HostSystem.isLinux() ? folder.toString() : null, environment);
    }
}
