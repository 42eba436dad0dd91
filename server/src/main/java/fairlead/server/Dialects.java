package fairlead.server;

import fairlead.dialects.act.ActLaunch;
import fairlead.dialects.openpai.PaiLaunch;
import fairlead.server.launch.LaunchHooks;
import fairlead.server.openpai.SshKeys;

import java.nio.file.Path;
import java.util.List;

/** The dialects whose jobs this server launches in a way of their own. */
final class Dialects {
    private Dialects() {}

    /**
     * @param secret what the keys of jobs are derived from
     */
    static LaunchHooks hooks(Settings settings, Path home, String secret) {
        return new LaunchHooks(
                List.of(
                        new PaiLaunch(settings.openPaiFs(home), new SshKeys(secret)),
                        new ActLaunch(settings.stopGrace())));
    }
}
