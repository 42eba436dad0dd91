package fairlead.cli.act.verb;

import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.act.AzureCompute;
import fairlead.cli.act.assets.AssetFolder;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.log.PythonText;

import java.io.IOException;
import java.util.Optional;

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
        Optional<String> studio = AzureCompute.studio(detail, session);
        String here = session.endpoint() + "/v1/jobs/" + detail.job().id();
        facts.put("portal_url", studio.orElse(here));
        // Azure has no way into a job that was not asked for at its start.
        if (studio.isPresent()) facts.all().remove("ssh");
        session.out().line(PythonText.of(facts.all()));
        return ExitCode.OK;
    }
}
