package fairlead.server.openpai;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.dialects.openpai.PortDemand;
import fairlead.engine.Engine;
import fairlead.job.Attempt;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.TaskPlacement;
import fairlead.journal.JournalException;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * How to log in to the tasks of a running job (O68, O77, O79). A task is listed once an SSH server
 * answers on its port: one without a server, because its surroundings have none, never is.
 */
final class SshRoutes {
    /** Tasks are on the same machine or in the same cluster. */
    private static final Duration ANSWER_MAX = Duration.ofMillis(500);

    /** So many tasks are asked; the others of a larger job are reached from these. */
    private static final int TASKS_MAX = 256;

    private static final byte[] GREETING = "SSH-".getBytes(US_ASCII);

    private final Jobs jobs;
    private final Addresses addresses;
    private final SshKeys keys;
    private final Supplier<String> url;
    private final Map<String, Engine> engines;

    SshRoutes(
            Jobs jobs,
            Addresses addresses,
            SshKeys keys,
            Supplier<String> url,
            Map<String, Engine> engines) {
        this.engines = engines;
        this.jobs = jobs;
        this.addresses = addresses;
        this.keys = keys;
        this.url = url;
    }

    private record Container(String id, String ip, int port) {}

    void show(PaiCall call) throws JournalException, InterruptedException {
        PaiName name = call.job();
        Job job = jobs.find(name);
        List<Container> containers = listening(job);
        if (containers.isEmpty()) throw missing(name, why(job));
        var told = new ArrayList<Map<String, Object>>();
        for (Container each : containers) {
            var container = new LinkedHashMap<String, Object>();
            container.put("id", each.id());
            container.put("sshIp", each.ip());
            // A text, as OpenPAI has it.
            container.put("sshPort", Integer.toString(each.port()));
            told.add(container);
        }
        var body = new LinkedHashMap<String, Object>();
        body.put("containers", told);
        body.put("keyPair", keyPair(name));
        call.send(200, body);
    }

    private Map<String, Object> keyPair(PaiName name) {
        String folder = folder(name);
        var pair = new LinkedHashMap<String, Object>();
        pair.put("folderPath", folder);
        pair.put("publicKeyFileName", name.fileName() + ".pub");
        pair.put("privateKeyFileName", name.fileName());
        pair.put(
                "privateKeyDirectDownloadLink",
                url.get() + "/api/v1" + name.path() + "/ssh/keyFiles/" + name.fileName());
        return pair;
    }

    /** O77, where OpenPAI really has it. */
    private static String folder(PaiName name) {
        return "/Container/%s/%s/ssh/keyFiles".formatted(name.user().orElse(""), name.fileName());
    }

    /** For the job's owner and for admins: the private key opens its tasks. */
    void keyFile(PaiCall call) throws JournalException {
        PaiName name = call.job();
        Job job = jobs.own(name, call.caller(), "see the keys of job");
        if (!isOfOpenPai(job)) throw missing(name, "");
        String file = call.file();
        if (file.equals(name.fileName()))
            call.sendSecret(keys.privateKey(job.id().text()).getBytes(UTF_8));
        else if (file.equals(name.fileName() + ".pub"))
            call.sendSecret((keys.publicKey(job.id().text()) + "\n").getBytes(UTF_8));
        else throw missing(name, "");
    }

    private static boolean isOfOpenPai(Job job) {
        return PaiName.origin(job.spec()).isPresent();
    }

    /** As far as it is known, after OpenPAI's own sentence. */
    private String why(Job job) {
        if (!(job.state() instanceof JobState.Running)) return " The job does not run.";
        return Optional.ofNullable(engines.get(job.spec().cluster()))
                .flatMap(engine -> SshNote.of(job.spec(), engine))
                .map(note -> " " + note)
                .orElse("");
    }

    private static PaiProblem missing(PaiName name, String why) {
        return new PaiProblem(
                PaiCode.NO_JOB_SSH_INFO,
                "SSH info of job %.300s is not found.%s".formatted(name.job(), why));
    }

    private List<Container> listening(Job job) throws InterruptedException {
        var listening = new ArrayList<Container>();
        if (!isOfOpenPai(job) || !(job.state() instanceof JobState.Running running))
            return listening;
        try (var askers = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = new ArrayList<Future<Optional<Container>>>();
            for (Container each : containers(job, running.attempt()))
                asked.add(askers.submit(() -> Optional.of(each).filter(SshRoutes::answers)));
            for (var each : asked) each.get().ifPresent(listening::add);
        } catch (ExecutionException bug) {
            throw new IllegalStateException(bug);
        }
        return listening;
    }

    private List<Container> containers(Job job, Attempt attempt) {
        var all = new ArrayList<Container>();
        List<TaskPlacement> tasks = attempt.placement().tasks();
        for (int rank = 0; rank < Math.min(TASKS_MAX, tasks.size()); rank++) {
            TaskPlacement task = tasks.get(rank);
            List<Integer> ports =
                    addresses.ports(job, task, rank).getOrDefault(PortDemand.SSH, List.of());
            if (ports.isEmpty()) continue;
            all.add(
                    new Container(
                            JobStatus.containerId(attempt.id(), task.task()),
                            addresses.ip(job, task, rank),
                            ports.getFirst()));
        }
        return all;
    }

    private static boolean answers(Container container) {
        try (var socket = new Socket()) {
            int patience = (int) ANSWER_MAX.toMillis();
            socket.connect(new InetSocketAddress(container.ip(), container.port()), patience);
            socket.setSoTimeout(patience);
            byte[] greeting = socket.getInputStream().readNBytes(GREETING.length);
            return Arrays.equals(GREETING, greeting);
        } catch (IOException _) {
            return false;
        }
    }
}
