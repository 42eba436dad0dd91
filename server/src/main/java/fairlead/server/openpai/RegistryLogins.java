package fairlead.server.openpai;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.dialects.openpai.Addresses;
import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.dialects.openpai.RegistryLogin;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.ImageLogin;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.SpecException;
import fairlead.server.runtime.Groundwork;
import fairlead.server.runtime.Storages;
import fairlead.server.wire.PaiOrigin;
import fairlead.storage.Address;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The authFile of OpenPAI's jobs (item O17): before each launch it is read, and the engine gets the
 * login with the launch. Nothing of it is kept here. A file that cannot be had or read ends the
 * tasks with exit code 1, as the code of a job does. Where no image is used, the file is left
 * alone.
 */
public final class RegistryLogins implements Groundwork {
    private static final String PREFIX = "authFile: ";

    private final Engine engine;
    private final String defaultFsUri;
    private final Storages storages;
    private final Groundwork next;

    /**
     * @param engine that gets the launches
     * @param defaultFsUri what {@code $PAI_DEFAULT_FS_URI} stands for
     * @param next what else is to be done
     */
    public RegistryLogins(Engine engine, String defaultFsUri, Storages storages, Groundwork next) {
        this.engine = engine;
        this.defaultFsUri = defaultFsUri;
        this.storages = storages;
        this.next = next;
    }

    @Override
    public Optional<String> refuses(JobSpec spec) {
        return next.refuses(spec);
    }

    @Override
    public Effect.Launch lay(Effect.Launch launch) throws EngineException {
        Optional<PaiSpec.Known> known = withFile(launch.job().spec());
        if (known.isEmpty() || !engine.terms().runsImages()) return next.lay(launch);
        String user = known.get().userOr(launch.job().owner());
        String authFile = Addresses.of(known.get().job(), user, defaultFsUri).authFile();
        ImageLogin login;
        try {
            login = read(authFile, user);
        } catch (Invalid | StorageException refusal) {
            return launch.asking(refused(launch.job().spec(), PREFIX + refusal.getMessage()));
        }
        return next.lay(launch).with(login);
    }

    /** The job that the spec was made from, if that is one of OpenPAI with an authFile. */
    private static Optional<PaiSpec.Known> withFile(JobSpec spec) {
        try {
            return PaiOrigin.of(spec).filter(known -> !known.job().authFile().isEmpty());
        } catch (SpecException unfit) {
            // Only an older server has taken it; it ran without a login there.
            return Optional.empty();
        }
    }

    /** The image may not be had without the login, so where it can be it is left out. */
    private JobSpec refused(JobSpec spec, String why) {
        JobSpec saying = CodeFolders.saying(spec, why);
        return engine.terms().runsHere() ? saying.withoutImage("/") : saying;
    }

    private ImageLogin read(String authFile, String user) throws Invalid, StorageException {
        Address address = Address.of(authFile);
        try (Storage storage = storages.open(address, user);
                InputStream file = storage.download(address)) {
            byte[] text = file.readNBytes(RegistryLogin.BYTES_MAX + 1);
            var login = RegistryLogin.read(new String(text, UTF_8));
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
