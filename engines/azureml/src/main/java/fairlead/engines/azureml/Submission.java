package fairlead.engines.azureml;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.TaskEnvironment;
import fairlead.engines.azureml.rest.ServiceException;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.JobSpec;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Hands the job of an attempt to Azure, with what it needs in the workspace. Any thread. */
final class Submission {
    /** Those that Linux gives to whoever asks for any begin above. */
    private static final int PORT_FIRST = 20_000;

    private static final int PORT_COUNT = 12_000;
    private static final int WORD_BYTES = 8;
    private static final int DIGEST_CHARACTERS = 16;
    private static final SecureRandom DICE = new SecureRandom();

    private final AzureMlSettings settings;
    private final Workspace workspace;
    private final AzureMlTerms terms;
    private final String tag;

    /** Ids of environments by image, and datastores, that we have seen to be there. */
    private final Map<String, String> environments = new ConcurrentHashMap<>();

    private final Set<String> datastores = ConcurrentHashMap.newKeySet();

    Submission(AzureMlSettings settings, Workspace workspace, AzureMlTerms terms, String tag) {
        this.settings = settings;
        this.workspace = workspace;
        this.terms = terms;
        this.tag = tag;
    }

    /** Of an attempt that is new, with a word of its own. */
    static AttemptRecord record(Effect.Launch launch, Capacity capacity) {
        var tasks =
                launch.place().placement().tasks().stream()
                        .map(place -> new AttemptRecord.Task(place.task(), place.gpus()))
                        .toList();
        var word = new byte[WORD_BYTES];
        DICE.nextBytes(word);
        return new AttemptRecord(
                launch.attempt(),
                HexFormat.of().formatHex(word),
                false,
                false,
                capacity.shape(tasks.stream().map(task -> task.gpus().size()).toList()),
                ports(TaskEnvironment.portsFor(launch)),
                tasks);
    }

    /** Nobody else is on the machines of a job. */
    private static List<Integer> ports(int count) {
        var ports = new ArrayList<Integer>();
        int first = PORT_FIRST + DICE.nextInt(PORT_COUNT);
        for (int i = 0; i < count; i++)
            ports.add(PORT_FIRST + (first - PORT_FIRST + i) % PORT_COUNT);
        return ports;
    }

    /**
     * A repeat is fine.
     *
     * @return empty when Azure has the job; else why it never will, in words for the owner
     * @throws ServiceException when it may take it later
     */
    Optional<String> send(AttemptRecord record, Effect.Launch launch) throws ServiceException {
        try {
            JobSpec spec = launch.job().spec();
            requireDatastores(spec);
            String environment = environment(terms.image(spec).orElseThrow());
            var body = new JobBody(settings, launch, record).properties(tag, environment);
            workspace.putJob(record.name(), body);
            return Optional.empty();
        } catch (IllegalArgumentException problem) {
            return Optional.of(problem.getMessage());
        } catch (ServiceException refused) {
            // It is there, as another release of ours has described it.
            if (refused.code().equals("JobPropertyImmutable")) return Optional.empty();
            if (isFinal(refused)) return Optional.of(refused.getMessage());
            throw refused;
        }
    }

    /** Whether the job itself is wrong, and not the workspace, our rights or the moment. */
    private static boolean isFinal(ServiceException refused) {
        boolean isOfRegistry = refused.status() == 401 && refused.code().equals("Forbidden");
        boolean isOfJob = refused.isMissing() && !refused.code().startsWith("Resource");
        return refused.status() == 400 || isOfRegistry || isOfJob;
    }

    private void requireDatastores(JobSpec spec) throws ServiceException {
        for (Container.Mount mount : spec.container().mounts()) {
            String name = JobBody.Place.of(mount).datastore();
            if (datastores.contains(name)) continue;
            if (!name.matches("[A-Za-z0-9_-]{1,255}") || !workspace.hasDatastore(name))
                throw new IllegalArgumentException(
                        "cannot mount %s at %s: the workspace %s has no datastore '%s'"
                                .formatted(
                                        mount.source() instanceof Container.Folder folder
                                                ? folder.path()
                                                : name,
                                        mount.target(),
                                        settings.workspace(),
                                        name));
            datastores.add(name);
        }
    }

    private String environment(String image) throws ServiceException {
        String known = environments.get(image);
        if (known != null) return known;
        String id = workspace.putImage("fairlead-" + digest(image), image);
        environments.put(image, id);
        return id;
    }

    private static String digest(String text) {
        try {
            byte[] all = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(all).substring(0, DIGEST_CHARACTERS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
