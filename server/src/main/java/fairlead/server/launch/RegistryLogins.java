package fairlead.server.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.api.launch.LoginFile;
import fairlead.api.launch.Misfit;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.ImageLogin;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.storage.Address;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The logins of jobs whose dialect names a file for it (OpenPAI's authFile, item O17): before each
 * launch it is read, and the engine gets the login with the launch. Nothing of it is kept here. A
 * file that cannot be had or read ends the tasks with exit code 1, as the code of a job does. Where
 * no image is used, the file is left alone.
 */
public final class RegistryLogins implements LaunchStep {
    private final Engine engine;
    private final LaunchHooks hooks;
    private final Storages storages;
    private final LaunchStep next;

    /**
     * @param engine that gets the launches
     * @param next what else is to be done
     */
    public RegistryLogins(Engine engine, LaunchHooks hooks, Storages storages, LaunchStep next) {
        this.engine = engine;
        this.hooks = hooks;
        this.storages = storages;
        this.next = next;
    }

    @Override
    public Optional<String> refuses(JobSpec spec) {
        return next.refuses(spec);
    }

    @Override
    public Effect.Launch prepare(Effect.Launch launch) throws EngineException {
        JobSpec spec = launch.job().spec();
        Optional<LoginFile> file = hooks.plan(spec, launch.job().owner()).login();
        if (file.isEmpty() || !engine.terms().runsImages()) return next.prepare(launch);
        ImageLogin login;
        try {
            login = read(file.get());
        } catch (Misfit misfit) {
            return launch.asking(refused(spec, misfit.getMessage()));
        } catch (StorageException refusal) {
            return launch.asking(refused(spec, file.get().field() + ": " + refusal.getMessage()));
        }
        return next.prepare(launch).with(login);
    }

    /** The image may not be had without the login, so where it can be it is left out. */
    private JobSpec refused(JobSpec spec, String why) {
        JobSpec saying = CodeFolders.saying(spec, why);
        return engine.terms().runsHere() ? saying.withoutImage("/") : saying;
    }

    private ImageLogin read(LoginFile from) throws Misfit, StorageException {
        Address address = Address.of(from.address());
        try (Storage storage = storages.open(address, from.user());
                InputStream file = storage.download(address)) {
            byte[] text = file.readNBytes(from.bytesMax() + 1);
            LoginFile.Login login = from.read(new String(text, UTF_8));
            return new ImageLogin(login.server(), login.user(), login.password());
        } catch (IOException problem) {
            throw new StorageException(
                    address + " cannot be read: " + problem.getMessage(), problem);
        }
    }

    @Override
    public JobSpec entered(AttemptId attempt, JobSpec spec) {
        return next.entered(attempt, spec);
    }

    @Override
    public void clear(AttemptId attempt) throws EngineException {
        next.clear(attempt);
    }

    @Override
    public void clear(JobId job) throws EngineException {
        next.clear(job);
    }
}
