package fairlead.cli.admin;

import fairlead.api.client.Endpoint;
import fairlead.api.client.Unreachable;
import fairlead.api.json.Wire;
import fairlead.cli.line.Session;
import fairlead.cli.pods.RunaiFile;
import fairlead.cli.server.Places;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shows every setting: those of this command, and those that the user's own server has at its next
 * start, which a program of the server's reads.
 */
public final class ShowConfig {
    private static final String SERVER_SETTINGS = "fairlead.server.ShowSettings";
    private static final String DEFAULT = "default";
    private static final String ENVIRONMENT = "environment";

    /** Other variables that change what a command does, and what they are where nobody says. */
    private static final Map<String, String> VARIABLES = variables();

    private ShowConfig() {}

    private static Map<String, String> variables() {
        var variables = new LinkedHashMap<String, String>();
        variables.put("FAIRLEAD_DEBUG", "no");
        variables.put("AML_CONFIG_PATH", "aux_data/aml/aml.yaml");
        variables.put("AML_LOG_FOLDER", "assets");
        variables.put("NO_COLOR", "no");
        variables.put("COLUMNS", "as wide as the terminal");
        variables.put("PAGER", "less");
        return variables;
    }

    /** One setting as it is now. */
    private record Setting(String name, String value, String from) {
        Map<String, String> fields() {
            var fields = new LinkedHashMap<String, String>();
            fields.put("setting", name);
            fields.put("value", value);
            fields.put("from", from);
            return fields;
        }
    }

    public static int show(boolean json, Session session)
            throws UsageException, Failure, IOException {
        List<Setting> own = own(session);
        if (!session.isPersonal()) {
            print(own, List.of(), json, session);
            if (!json)
                session.say("the settings of that server are shown where it runs, by its owner");
            return ExitCode.OK;
        }
        var printed = session.toolPrints(SERVER_SETTINGS, session.personal().startWords());
        if (printed.code() != ExitCode.OK) return printed.code();
        var servers = new ArrayList<Setting>();
        for (String line : printed.text().lines().toList()) {
            String[] parts = line.split("\t", 3);
            servers.add(new Setting(parts[0], parts[1], parts[2]));
        }
        print(own, servers, json, session);
        if (!json && isOlder(session))
            session.say(
                    "the server was started before its settings changed; 'fairlead server stop',"
                            + " then 'fairlead server start' applies them");
        return ExitCode.OK;
    }

    private static List<Setting> own(Session session) throws UsageException, Failure, IOException {
        Map<String, String> environment = session.terminal().environment();
        Places places = session.places();
        var all = new ArrayList<Setting>();
        all.add(new Setting("home", places.home().toString(), places.from()));
        String absent = Files.exists(places.settings()) ? "" : " (not there)";
        all.add(new Setting("settings", places.settings() + absent, places.settingsFrom()));
        all.addAll(server(session, environment));
        for (var variable : VARIABLES.entrySet()) {
            String said = environment.get(variable.getKey());
            all.add(
                    said == null
                            ? new Setting(variable.getKey(), variable.getValue(), DEFAULT)
                            : new Setting(variable.getKey(), "'" + said + "'", ENVIRONMENT));
        }
        var runai = RunaiFile.of(session);
        if (runai.project() != null)
            all.add(new Setting("runai project", runai.project(), "runai.settings"));
        if (runai.cluster() != null)
            all.add(new Setting("runai cluster", runai.cluster(), "runai.settings"));
        runai.claims()
                .forEach(
                        (name, path) ->
                                all.add(new Setting("runai pvc " + name, path, "runai.settings")));
        return all;
    }

    /** Which server, and whence its token comes; never the token itself. */
    private static List<Setting> server(Session session, Map<String, String> environment)
            throws UsageException, Failure {
        if (session.isPersonal()) {
            return List.of(
                    new Setting("server", "your own" + address(session), DEFAULT),
                    new Setting("token", "in the home", DEFAULT));
        }
        boolean isLogin = environment.getOrDefault("FAIRLEAD_SERVER", "").isEmpty();
        boolean isKnown = isLogin || !environment.getOrDefault("FAIRLEAD_TOKEN", "").isEmpty();
        return List.of(
                new Setting(
                        "server",
                        address(session).strip(),
                        isLogin ? "'fairlead login'" : "FAIRLEAD_SERVER"),
                new Setting(
                        "token",
                        isKnown ? "set" : "none",
                        isLogin ? "'fairlead login'" : "FAIRLEAD_TOKEN"));
    }

    private static String address(Session session) throws UsageException, Failure {
        try {
            Endpoint endpoint = session.endpoint();
            return " " + endpoint;
        } catch (Unreachable _) {
            return ", which does not run now";
        }
    }

    /** Whether the server that runs has read an older file. */
    private static boolean isOlder(Session session) throws UsageException, IOException {
        Places places = session.places();
        var running = places.home().resolve("server.json");
        return Files.exists(running)
                && Files.exists(places.settings())
                && session.personal().answers()
                && Files.getLastModifiedTime(places.settings())
                                .compareTo(Files.getLastModifiedTime(running))
                        > 0;
    }

    private static void print(
            List<Setting> own, List<Setting> servers, boolean json, Session session)
            throws IOException {
        if (json) {
            var all = new LinkedHashMap<String, Object>();
            all.put("command", own.stream().map(Setting::fields).toList());
            all.put("server", servers.stream().map(Setting::fields).toList());
            session.json(Wire.json(all, Object.class));
            return;
        }
        session.out().print(table(own));
        if (servers.isEmpty()) return;
        session.out().line("\nYour own server has, when it is started the next time:\n");
        session.out().print(table(servers));
    }

    private static String table(List<Setting> settings) {
        var table = new Table().row("SETTING", "VALUE", "FROM");
        for (Setting each : settings) table.row(each.name(), each.value(), each.from());
        return table.text();
    }
}
