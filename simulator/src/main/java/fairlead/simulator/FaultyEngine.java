package fairlead.simulator;

import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.GpuUse;
import fairlead.engine.Observation;
import fairlead.engine.Sessions;
import fairlead.engine.TaskLog;
import fairlead.engine.Terms;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** An engine behind a bad line: calls and answers get lost, by dice. */
final class FaultyEngine implements Engine {
    private final Engine real;
    private final Faults faults;
    private final SplittableRandom dice;

    FaultyEngine(Engine real, Faults faults, SplittableRandom dice) {
        this.real = real;
        this.faults = faults;
        this.dice = dice;
    }

    private interface Call<T> {
        T make() throws EngineException;
    }

    private <T> T overTheLine(Call<T> call) throws EngineException {
        if (dice.nextInt(1_000) < faults.lostRequest()) throw new EngineException("request lost");
        T answer = call.make();
        if (dice.nextInt(1_000) < faults.lostAnswer()) throw new EngineException("answer lost");
        return answer;
    }

    @Override
    public void launch(Effect.Launch launch) throws EngineException {
        overTheLine(
                () -> {
                    real.launch(launch);
                    return true;
                });
    }

    @Override
    public void stop(AttemptId attempt, Duration grace) throws EngineException {
        overTheLine(
                () -> {
                    real.stop(attempt, grace);
                    return true;
                });
    }

    @Override
    public void forget(AttemptId attempt) throws EngineException {
        overTheLine(
                () -> {
                    real.forget(attempt);
                    return true;
                });
    }

    @Override
    public List<Observation> observe() throws EngineException {
        return overTheLine(real::observe);
    }

    @Override
    public List<Node> nodes() throws EngineException {
        return overTheLine(real::nodes);
    }

    @Override
    public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        return overTheLine(() -> real.log(attempt, task));
    }

    @Override
    public void deleteLogs(JobId job) throws EngineException {
        overTheLine(
                () -> {
                    real.deleteLogs(job);
                    return true;
                });
    }

    @Override
    public List<GpuUse> gpuUse() throws EngineException {
        return overTheLine(real::gpuUse);
    }

    @Override
    public List<Guest> guests() throws EngineException {
        return overTheLine(real::guests);
    }

    @Override
    public Terms terms() {
        return real.terms();
    }

    @Override
    public Optional<Sessions> sessions() {
        return real.sessions();
    }

    @Override
    public void onChange(Runnable listener) {
        real.onChange(listener);
    }

    @Override
    public void close() {
        real.close();
    }
}
