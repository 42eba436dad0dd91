package fairlead.cli.server;

import fairlead.cli.terminal.UsageException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where a user's own server lives. FAIRLEAD_HOME goes first; a home that an older version has made
 * is used on as it is; everybody else has the folders of the XDG Base Directory Specification. The
 * Python client looks in the same order.
 *
 * @param home what the programs write: journal, logs, tokens, the login
 * @param settings what a person writes; the file need not exist
 * @param from what decided on the home, for people
 * @param settingsFrom what decided on the settings
 */
public record Places(Path home, Path settings, String from, String settingsFrom) {
    private static final String NAME = "fairlead";
    private static final String SETTINGS = "settings";
    private static final String STATE = "XDG_STATE_HOME";
    private static final String CONFIG = "XDG_CONFIG_HOME";

    /** Everything in one folder. */
    static Places in(Path home, String from) {
        return new Places(home, home.resolve(SETTINGS), from, from);
    }

    /**
     * @param folder where a relative FAIRLEAD_HOME begins
     */
    public static Places of(Map<String, String> environment, Path folder) throws UsageException {
        String named = environment.getOrDefault("FAIRLEAD_HOME", "");
        if (!named.isEmpty()) return in(folder.resolve(named), "FAIRLEAD_HOME");
        // Windows has the second.
        String user = environment.getOrDefault("HOME", environment.getOrDefault("USERPROFILE", ""));
        if (user.isEmpty()) throw new UsageException("neither FAIRLEAD_HOME nor HOME is set");
        Path old = Path.of(user, ".fairlead");
        if (Files.exists(old)) return in(old, "~/.fairlead exists");
        boolean hasState = isSaid(environment, STATE);
        boolean hasConfig = isSaid(environment, CONFIG);
        Path state = hasState ? Path.of(environment.get(STATE)) : Path.of(user, ".local", "state");
        Path config = hasConfig ? Path.of(environment.get(CONFIG)) : Path.of(user, ".config");
        return new Places(
                state.resolve(NAME),
                config.resolve(NAME).resolve(SETTINGS),
                hasState ? STATE : "default",
                hasConfig ? CONFIG : "default");
    }

    /** By the specification a relative path counts as none. */
    private static boolean isSaid(Map<String, String> environment, String variable) {
        return Path.of(environment.getOrDefault(variable, "")).isAbsolute();
    }

    boolean isTogether() {
        return settings.equals(home.resolve(SETTINGS));
    }
}
