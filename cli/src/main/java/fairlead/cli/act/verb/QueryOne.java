package fairlead.cli.act.verb;

import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.act.assets.AssetFolder;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.log.PythonText;

import java.io.IOException;

/** One job in full: the end of its log, where the logs are, and the facts. */
record QueryOne(Session session, QueryLog.Amount shown) {
    int show(JobDetail detail) throws UsageException, Failure, Refused, IOException {
        var log = new QueryLog(session, detail);
        boolean isKept = shown == QueryLog.Amount.ALL && log.fetch();
        if (isKept) {
            for (String line : log.end()) session.out().line(line);
        } else if (shown != QueryLog.Amount.NONE) {
            log.printEnd();
        }
        if (shown != QueryLog.Amount.NONE) log.tellEarlier();
        if (isKept) {
            session.out().line("log files:");
            session.out().line(PythonText.of(AssetFolder.texts(log.files())));
        }
        ActFacts facts = log.facts();
        facts.put("portal_url", session.endpoint() + "/v1/jobs/" + detail.job().id());
        session.out().line(PythonText.of(facts.all()));
        return ExitCode.OK;
    }
}
