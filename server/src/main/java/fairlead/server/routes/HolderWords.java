package fairlead.server.routes;

import fairlead.api.HolderBody;
import fairlead.cluster.Foresight;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.policy.forecast.Holder;
import fairlead.server.bodies.Bodies;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How somebody who stands in the way of a waiting job will give its place, in words. */
final class HolderWords {
    private HolderWords() {}

    /**
     * The first of them.
     *
     * @param most how many
     * @param waiting in whose way they stand
     * @param view from which it was worked out who they are
     */
    static List<HolderBody> bodies(List<Holder> holders, int most, Job waiting, View view) {
        return holders.stream()
                .limit(most)
                .map(each -> body(each, waiting, view.rules().undisturbed(), view.foresight()))
                .toList();
    }

    /**
     * @param undisturbed how long an attempt runs before it may be asked to stop
     */
    static HolderBody body(Holder holder, Job waiting, Duration undisturbed, Foresight foresight) {
        Job job = holder.job();
        Instant since = job.started().orElse(((JobState.Active) job.state()).since());
        boolean isStopping = job.state() instanceof JobState.Stopping;
        Optional<Instant> asked = isStopping ? Optional.empty() : holder.asked();
        // One that stops at a checkpoint gives its GPUs then, and not when it is asked.
        boolean saves = holder.asked().isPresent() && job.stopsAtCheckpoint();
        Optional<Instant> at = saves || asked.isEmpty() ? holder.gives() : asked;
        return new HolderBody(
                job.id().text(),
                job.owner(),
                holder.gpus(),
                Bodies.gpuPart(job.spec()),
                since.toString(),
                gives(holder, isStopping, saves),
                at.map(Instant::toString).orElse(null),
                isGuess(holder, isStopping, foresight)
                        ? "a guess: nothing is known yet of how long such jobs run"
                        : note(holder, waiting, saves, isStopping, undisturbed));
    }

    /** Where no run time is known, and no such job has ended, a forecast takes about an hour. */
    private static boolean isGuess(Holder holder, boolean isStopping, Foresight foresight) {
        boolean ends = holder.gives().isPresent() && holder.asked().isEmpty() && !isStopping;
        return ends
                && foresight.runTime(holder.job()).isEmpty()
                && foresight.runTimes(holder.job()).ended().isEmpty();
    }

    private static String gives(Holder holder, boolean isStopping, boolean saves) {
        if (saves) return holder.gpus() == 1 ? "gives its GPU" : "gives its GPUs";
        if (isStopping) return "is stopping";
        if (holder.asked().isPresent()) return "will be asked to stop";
        return holder.gives().isPresent() ? "is expected to end" : "nobody can say when it ends";
    }

    private static String note(
            Holder holder, Job waiting, boolean saves, boolean isStopping, Duration undisturbed) {
        var notes = new ArrayList<String>();
        boolean isProtected = !isStopping && isProtected(holder, undisturbed);
        if (saves && isProtected) notes.add("at its first epoch after its undisturbed time");
        else if (saves) notes.add("at its next epoch");
        else if (isProtected) notes.add("undisturbed until then");
        holder.beneficiary()
                .filter(other -> !other.equals(waiting.id()))
                .filter(other -> !other.equals(holder.job().id()))
                .ifPresent(other -> notes.add("for " + other));
        return notes.isEmpty() ? null : String.join(", ", notes);
    }

    /** Whether it would be asked to stop at once, were it not for the time since its start. */
    private static boolean isProtected(Holder holder, Duration undisturbed) {
        Instant since = ((JobState.Active) holder.job().state()).since();
        return holder.asked().filter(since.plus(undisturbed)::equals).isPresent();
    }
}
