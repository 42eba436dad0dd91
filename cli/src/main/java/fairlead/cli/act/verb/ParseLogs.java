package fairlead.cli.act.verb;

import fairlead.api.client.Refused;
import fairlead.cli.act.assets.AssetFolder;
import fairlead.cli.job.JobIds;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.log.LogErrors;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Tells which known causes of failures the logs name that were fetched of a job. */
public final class ParseLogs implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("parse"),
                "JOB",
                1,
                "find known causes of a failure in the logs in ./assets",
                List.of(Option.CLUSTER),
                List.of(
                        Example.of(
                                "fairlead q "
                                        + Example.JOB
                                        + " >/dev/null && fairlead parse "
                                        + Example.JOB,
                                "each code with the line that means it")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String word = JobIds.of(arguments.some("job")).getFirst();
        // The server alone knows which that is; the folder bears its id.
        String id = word.equals("@last") ? session.client().job(word).value().job().id() : word;
        AssetFolder root = AssetFolder.of(session.terminal());
        List<Path> folders = root.of(id);
        if (folders.isEmpty()) {
            throw new UsageException(
                    "no logs of '"
                            + id
                            + "' are in "
                            + root.path()
                            + "; 'fairlead query "
                            + id
                            + "' fetches them");
        }
        if (folders.size() > 1) {
            throw new UsageException(
                    "'"
                            + id
                            + "' could be several jobs:\n  "
                            + String.join("\n  ", AssetFolder.texts(folders)));
        }
        Path folder = folders.getFirst();
        LogErrors errors = AssetFolder.errors(root.logsIn(folder));
        for (LogErrors.Sight sight : errors.sights()) {
            String hint = LogErrors.isRetriable(sight.code()) ? " (worth another try)" : "";
            String line = sight.line() == 0 ? "" : ":" + sight.line();
            session.out().line(sight.code() + hint);
            session.out().line("  " + sight.file() + line + ": " + sight.text());
        }
        if (errors.sights().isEmpty()) session.say("the logs name no cause that is known");
        AssetFolder.statusBeforeItsEnd(folder)
                .ifPresent(status -> tellOld(folder, status, session));
        return ExitCode.OK;
    }

    private static void tellOld(Path folder, String status, Session session) {
        session.say(
                "the job was "
                        + status
                        + " when these logs were fetched; 'fairlead query "
                        + folder.getFileName()
                        + "' fetches what is missing");
    }
}
