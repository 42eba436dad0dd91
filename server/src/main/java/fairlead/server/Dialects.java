package fairlead.server;

import fairlead.api.view.JobView;
import fairlead.dialects.act.ActLaunch;
import fairlead.dialects.act.ActView;
import fairlead.dialects.dlscheduler.PostedScript;
import fairlead.dialects.dlscheduler.SchedulerView;
import fairlead.dialects.jobfile.PostedFile;
import fairlead.dialects.openpai.PaiLaunch;
import fairlead.dialects.openpai.PaiView;
import fairlead.dialects.runai.RunaiView;
import fairlead.server.launch.LaunchHooks;
import fairlead.server.openpai.SshKeys;
import fairlead.server.routes.Parts;

import java.nio.file.Path;
import java.util.List;

/** The dialects whose jobs this server reads, launches or shows in a way of their own. */
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

    /** Each takes off what its dialect has put around a command, one after the other. */
    static List<JobView> views() {
        return List.of(new PaiView(), new RunaiView(), new SchedulerView(), new ActView());
    }

    static Parts.Forms forms() {
        return new Parts.Forms(PostedFile::read, PostedScript::spec);
    }
}
