package fairlead.server.snapshot;

import fairlead.job.Job;
import fairlead.job.Profile;
import fairlead.job.Progress;

import java.time.Duration;
import java.util.Optional;

/**
 * A job with what a policy knows of it beside the job itself.
 *
 * @param script the name that stands for its command
 * @param progress of a training job, with such names for what ran beside it
 * @param known what was foreseen for the script of a training job, likewise
 */
record JobRow(
        Job job,
        String script,
        Optional<Duration> foreseen,
        Optional<Progress> progress,
        Optional<Profile> known) {
    static JobRow of(Job job, Snapshot snapshot, Aliases aliases) {
        boolean isTraining = job.spec().training().isPresent();
        Progress progress = job.progress();
        return new JobRow(
                job,
                aliases.command(job),
                Optional.ofNullable(snapshot.foreseen().get(job.id())),
                Optional.of(
                                new Progress(
                                        progress.attempt(),
                                        progress.epochsDone(),
                                        progress.fraction(),
                                        progress.safe(),
                                        aliases.profile(progress.profile())))
                        .filter(_ -> isTraining),
                Optional.ofNullable(snapshot.known().get(job.id()))
                        .filter(_ -> isTraining)
                        .map(aliases::profile));
    }
}
