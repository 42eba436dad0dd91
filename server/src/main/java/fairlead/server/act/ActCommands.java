package fairlead.server.act;

import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.NodeProgram;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Role;
import fairlead.server.runtime.Groundwork;
import fairlead.server.wire.ActOrigin;

import java.util.Optional;

/**
 * Puts the program of the node around the commands of ACT's jobs. The spec that is stored and shown
 * keeps the user's words. Tasks that meet get a port for it, and all begin in a folder that every
 * machine has: the one of the laptop need not be there. Any thread.
 */
public final class ActCommands implements Groundwork {
    private static final String ANYWHERE = "/";

    @Override
    public Optional<String> refuses(JobSpec spec) {
        return Optional.empty();
    }

    @Override
    public Effect.Launch lay(Effect.Launch launch) {
        JobSpec spec = launch.job().spec();
        Optional<ActJob> job = ActOrigin.known(spec);
        if (job.isEmpty()) return launch;
        return launch.asking(spec.inFolder(ANYWHERE).withRoles(role -> around(role, job.get())));
    }

    private static Role around(Role role, ActJob job) {
        Role meeting = job.mpi() ? role.withPort(NodeProgram.PORT) : role;
        return meeting.running(NodeProgram.around(role.command()));
    }

    @Override
    public JobSpec entered(AttemptId attempt, JobSpec spec) {
        return spec;
    }

    @Override
    public void clear(AttemptId attempt) {
        // The program clears its node itself.
    }

    @Override
    public void clear(JobId job) {
        // The program clears its node itself.
    }
}
