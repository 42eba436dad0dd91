package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.ExecSession;
import fairlead.engine.Sessions;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.journal.JournalException;
import fairlead.server.auth.Access;
import fairlead.server.http.Problem;
import fairlead.server.portal.PortPages;
import fairlead.server.portal.PortTickets;

import java.util.Map;

/** Opens connections to ports of running tasks for those who still may. */
record TaskPort(JobFinder finder, Map<String, Engine> engines, Access access)
        implements PortPages.Opener {
    @Override
    public ExecSession open(PortTickets.Ticket ticket) throws JournalException, EngineException {
        Job job =
                finder.current(ticket.job())
                        .orElseThrow(() -> new Problem(ErrorCode.NOT_FOUND, "the job is deleted"));
        if (!access.as(ticket.person()).owns(job))
            throw new Problem(ErrorCode.FORBIDDEN, "the job is no longer yours");
        if (!(job.state() instanceof JobState.Running running))
            throw new Problem(
                    ErrorCode.CONFLICT,
                    "%s is %s, so nobody listens there".formatted(job.id(), job.state().word()));
        Sessions into =
                LogRoutes.engine(engines, job)
                        .sessions()
                        .orElseThrow(() -> new EngineException("its cluster lets nobody in"));
        return into.forward(running.attempt().id(), ticket.task(), ticket.port());
    }
}
