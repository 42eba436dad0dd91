package fairlead.engines.kubernetes;

import fairlead.engine.EngineException;
import fairlead.engines.kubernetes.apiserver.Problems;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * The calls to the API server, each plain and bounded. A call that finds its work done already is
 * no failure.
 */
final class Cluster {
    private static final Logger LOG = System.getLogger(Cluster.class.getName());

    /** A new namespace gets its account from a controller; 5 s are plenty for a healthy one. */
    private static final int ACCOUNT_TRIES_MAX = 25;

    private static final Duration ACCOUNT_WAIT = Duration.ofMillis(200);

    /** Others may change the list of finalizers while we take ours out. */
    private static final int FINALIZER_TRIES_MAX = 4;

    /** As long as a plain call may take with its repeats. */
    private static final int ANSWER_SECONDS = 10;

    private static final Set<String> START_PROBLEMS =
            Set.of(
                    "FailedMount",
                    "FailedAttachVolume",
                    "FailedMapVolume",
                    "FailedCreatePodSandBox");

    private final KubernetesClient client;
    private final String name;

    /** Namespaces that enforce the strictest rules for pods. */
    private final Set<String> restricted = ConcurrentHashMap.newKeySet();

    Cluster(KubernetesClient client, String name) {
        this.client = client;
        this.name = name;
    }

    KubernetesClient client() {
        return client;
    }

    /** Why the API server does not answer a question that costs it nothing; empty when it does. */
    Optional<Throwable> silence() {
        try {
            client.getKubernetesVersion();
            return Optional.empty();
        } catch (KubernetesClientException problem) {
            return Optional.of(problem);
        }
    }

    String unreachable(String why) {
        return "the cluster "
                + name
                + " cannot be reached: "
                + why
                + " ("
                + client.getMasterUrl().toString().replaceAll("/$", "")
                + ")";
    }

    String unwatchable(String why) {
        return "the cluster " + name + " does not show its pods and nodes: " + why;
    }

    private EngineException failed(String what, KubernetesClientException problem) {
        String text =
                problem.getCode() > 0
                        ? "the cluster "
                                + name
                                + " does not "
                                + what
                                + ": "
                                + Problems.line(problem)
                        : unreachable(Problems.line(problem));
        return new EngineException(text, problem);
    }

    /** The API server has answered that it does not take the thing. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final boolean isForGood;

        Refused(String message, boolean isForGood) {
            super(message);
            this.isForGood = isForGood;
        }

        /** Whether it never will as the thing is; otherwise others can make it pass. */
        boolean isForGood() {
            return isForGood;
        }
    }

    /** What the API server has made of it; empty when something of this name was there already. */
    <T extends HasMetadata> Optional<T> create(T thing) throws EngineException, Refused {
        boolean madeNamespace = false;
        for (int tries = 1; ; tries++) {
            try {
                return Optional.of(client.resource(thing).create());
            } catch (KubernetesClientException problem) {
                if (problem.getCode() == Problems.CONFLICT) return Optional.empty();
                boolean isNew = isNamespaceMissing(problem, thing.getMetadata().getNamespace());
                if (isNew && !madeNamespace) {
                    createNamespace(thing.getMetadata().getNamespace());
                    madeNamespace = true;
                } else if (isAccountMissing(problem) && tries < ACCOUNT_TRIES_MAX) {
                    LockSupport.parkNanos(ACCOUNT_WAIT.toNanos());
                } else {
                    throw refusal(what(thing), problem);
                }
            }
        }
    }

    private Refused refusal(String what, KubernetesClientException problem) throws EngineException {
        EngineException failed = failed(what, problem);
        if (!Problems.isRefusal(problem)) throw failed;
        return new Refused(failed.getMessage(), Problems.isForGood(problem));
    }

    /** A pod, with what its namespace asks of all pods: that is known from its first refusal. */
    Optional<Pod> createPod(Pod pod) throws EngineException, Refused {
        String namespace = pod.getMetadata().getNamespace();
        if (restricted.contains(namespace)) return create(PodSecurity.restricted(pod));
        try {
            return create(pod);
        } catch (Refused refused) {
            if (!PodSecurity.asksForIt(refused.getMessage())) throw refused;
            restricted.add(namespace);
            return create(PodSecurity.restricted(pod));
        }
    }

    private static String what(HasMetadata thing) {
        String kind = thing.getKind().toLowerCase(Locale.ROOT);
        return "take the " + kind + " " + thing.getMetadata().getName();
    }

    private static boolean isNamespaceMissing(KubernetesClientException problem, String namespace) {
        return problem.getCode() == Problems.NOT_FOUND
                && Problems.line(problem).contains("namespaces \"" + namespace + "\" not found");
    }

    private static boolean isAccountMissing(KubernetesClientException problem) {
        String line = Problems.line(problem);
        return problem.getCode() == Problems.FORBIDDEN
                && line.contains("serviceaccount")
                && line.contains("not found");
    }

    private void createNamespace(String namespace) throws EngineException, Refused {
        var thing =
                new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build();
        try {
            client.resource(thing).create();
        } catch (KubernetesClientException problem) {
            if (problem.getCode() != Problems.CONFLICT)
                throw refusal("make the namespace " + namespace, problem);
        }
    }

    Optional<Pod> pod(String namespace, String pod) throws EngineException {
        try {
            return Optional.ofNullable(client.pods().inNamespace(namespace).withName(pod).get());
        } catch (KubernetesClientException problem) {
            throw failed("show the pod " + pod, problem);
        }
    }

    /** A pod of this name that is another one by now stays. */
    void deletePod(Pod pod, long graceSeconds) throws EngineException {
        var meta = pod.getMetadata();
        var options =
                new DeleteOptionsBuilder()
                        .withGracePeriodSeconds(graceSeconds)
                        .withPropagationPolicy("Background")
                        .withNewPreconditions()
                        .withUid(meta.getUid())
                        .endPreconditions()
                        .build();
        String uri = "/api/v1/namespaces/%s/pods/%s".formatted(meta.getNamespace(), meta.getName());
        try {
            client.raw(uri, "DELETE", options);
        } catch (KubernetesClientException problem) {
            boolean isGone =
                    problem.getCode() == Problems.NOT_FOUND
                            || problem.getCode() == Problems.CONFLICT;
            if (!isGone) throw failed("delete the pod " + meta.getName(), problem);
        }
    }

    void deleteClaim(String namespace, String claim) throws EngineException {
        try {
            client.persistentVolumeClaims().inNamespace(namespace).withName(claim).delete();
        } catch (KubernetesClientException problem) {
            if (problem.getCode() != Problems.NOT_FOUND)
                throw failed("delete the claim " + claim, problem);
        }
    }

    /** Lets a deleted pod go. A pod of this name that is another one by now keeps its own. */
    void removeFinalizer(Pod pod) throws EngineException {
        Pod current = pod;
        for (int tries = 1; Marks.hasFinalizer(current); tries++) {
            var meta = current.getMetadata();
            String path = "/metadata/finalizers/" + meta.getFinalizers().indexOf(Marks.FINALIZER);
            String patch =
                    """
                    [{"op":"test","path":"/metadata/uid","value":"%s"},\
                    {"op":"test","path":"%s","value":"%s"},\
                    {"op":"remove","path":"%s"}]\
                    """
                            .formatted(meta.getUid(), path, Marks.FINALIZER, path);
            int code = patch(meta, patch);
            if (HttpResponse.isSuccessful(code) || code == Problems.NOT_FOUND) return;
            boolean mayHelp = code == Problems.CONFLICT || code == Problems.INVALID;
            if (!mayHelp || tries == FINALIZER_TRIES_MAX)
                throw new EngineException(
                        "the cluster %s does not let go of the pod %s: it answers %d"
                                .formatted(name, meta.getName(), code));
            var fresh = pod(meta.getNamespace(), meta.getName());
            if (fresh.isEmpty() || !fresh.get().getMetadata().getUid().equals(meta.getUid()))
                return;
            current = fresh.get();
        }
    }

    /** Without the client's own patch, which would get the pod first. Answers the code. */
    private int patch(ObjectMeta meta, String patch) throws EngineException {
        var request =
                client.getHttpClient()
                        .newHttpRequestBuilder()
                        .uri(uri(meta.getNamespace(), meta.getName()))
                        .patch("application/json-patch+json", patch)
                        .timeout(ANSWER_SECONDS, TimeUnit.SECONDS);
        try {
            return answer(request.build(), String.class).code();
        } catch (IOException problem) {
            throw new EngineException(unreachable(problem.getMessage()), problem);
        }
    }

    private String uri(String namespace, String pod) {
        return client.getMasterUrl().toString().replaceAll("/$", "")
                + "/api/v1/namespaces/%s/pods/%s".formatted(namespace, pod);
    }

    private <T> HttpResponse<T> answer(HttpRequest request, Class<T> kind) throws IOException {
        try {
            return client.getHttpClient()
                    .sendAsync(request, kind)
                    .get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException problem) {
            throw new IOException(Problems.line(problem), problem);
        } catch (IllegalStateException | RejectedExecutionException problem) {
            // The client was closed meanwhile.
            throw new IOException(Problems.line(problem), problem);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        }
    }

    /**
     * Why a pod's node cannot prepare its container, such as a folder to mount that is missing:
     * kubelets report it by events only. Empty when all is well or nobody may look.
     */
    Optional<String> startProblem(Pod pod) {
        var meta = pod.getMetadata();
        try {
            return client
                    .v1()
                    .events()
                    .inNamespace(meta.getNamespace())
                    .withField("involvedObject.uid", meta.getUid())
                    .list()
                    .getItems()
                    .stream()
                    .filter(event -> meta.getUid().equals(event.getInvolvedObject().getUid()))
                    .max(Comparator.comparing(Cluster::time))
                    .filter(event -> START_PROBLEMS.contains(event.getReason()))
                    .map(event -> event.getReason() + ": " + event.getMessage());
        } catch (KubernetesClientException problem) {
            LOG.log(Level.DEBUG, "no events of {0}: {1}", meta.getName(), Problems.line(problem));
            return Optional.empty();
        }
    }

    private static Instant time(Event event) {
        return PodReading.time(event.getLastTimestamp())
                .or(() -> PodReading.time(event.getMetadata().getCreationTimestamp()))
                .orElse(Instant.EPOCH);
    }

    /**
     * What a pod's container has written, each line with its time stamp.
     *
     * @param follow whether it goes on until the container ends
     */
    InputStream log(String namespace, String pod, Optional<Instant> since, boolean follow)
            throws IOException {
        String query = "container=%s&timestamps=true&follow=%b".formatted(Marks.CONTAINER, follow);
        if (since.isPresent()) {
            String second = since.get().truncatedTo(ChronoUnit.SECONDS).toString();
            query += "&sinceTime=" + URLEncoder.encode(second, StandardCharsets.UTF_8);
        }
        var request =
                client.getHttpClient()
                        .newHttpRequestBuilder()
                        .uri(uri(namespace, pod) + "/log?" + query)
                        .forStreaming();
        var answer = answer(request.build(), InputStream.class);
        if (answer.isSuccessful()) return answer.body();
        answer.body().close();
        throw new IOException("the log of " + pod + " is not to be had: " + answer.code());
    }
}
