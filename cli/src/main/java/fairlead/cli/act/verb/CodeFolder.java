package fairlead.cli.act.verb;

import fairlead.api.JobDetail;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.NodeProgram;
import fairlead.dialects.act.Place;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The code of a job of ACT or Philly on its node, where their users look around. */
public final class CodeFolder {
    private CodeFolder() {}

    /** The command, begun in that folder if the job has one. */
    public static List<String> around(JobDetail job, List<String> command) {
        if (ActOrigin.of(job).isEmpty()) return command;
        String toCode = NodeProgram.toCode(job.job().id(), job.job().attempts());
        // The command of the job does not see them either: signatures, and the node's program.
        var unseen = new TreeSet<String>();
        unseen.add(NodeProgram.VARIABLE);
        for (Place place : ActOrigin.of(job).orElseThrow().places())
            place.signature().ifPresent(unseen::add);
        String unset = "unset " + String.join(" ", unseen) + "; ";
        var words = new ArrayList<>(List.of("sh", "-c", unset + toCode + "; exec \"$0\" \"$@\""));
        words.addAll(command);
        return words;
    }
}
