package fairlead.api.client;

import fairlead.api.AttachBody;
import fairlead.api.ErrorCode;
import fairlead.api.ExecAnswer;
import fairlead.api.ExecBody;
import fairlead.api.ForwardBody;
import fairlead.api.HereBody;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.JobPage;
import fairlead.api.JobsAnswer;
import fairlead.api.JobsRequest;
import fairlead.api.LogEnd;
import fairlead.api.PriorityRequest;
import fairlead.api.ProfileBody;
import fairlead.api.QueueList;
import fairlead.api.Release;
import fairlead.api.ResubmitRequest;
import fairlead.api.StatsBody;
import fairlead.api.SubmitAnswer;
import fairlead.api.SubmitRequest;
import fairlead.api.SubmitRequest.ArrayBody;
import fairlead.api.WhyBody;
import fairlead.api.clusters.BackupRequest;
import fairlead.api.clusters.ClusterBody;
import fairlead.api.clusters.ClusterRequest;
import fairlead.api.clusters.NodeList;
import fairlead.api.clusters.ServerBody;
import fairlead.api.json.Wire;
import fairlead.api.people.PasswordRequest;
import fairlead.api.people.PersonBody;
import fairlead.api.people.PersonList;
import fairlead.api.people.PersonRequest;
import fairlead.api.people.ProjectBody;
import fairlead.api.people.ProjectList;
import fairlead.api.people.ProjectRequest;
import fairlead.api.people.TokenAnswer;
import fairlead.api.report.ReportBody;
import fairlead.api.spec.SpecBody;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A server's /v1, one method for each call. A submit carries its own name, so that it can be
 * repeated after a broken connection and still makes one job. Keeps one connection open between
 * calls; streams have one of their own. Not thread-safe.
 */
public final class Client implements AutoCloseable {
    /** Ten thousand jobs take a busy server seconds, and so does a backup. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

    /** Ten thousand jobs in full are about 10 MiB. */
    private static final int BODY_BYTES_MAX = 256 * 1024 * 1024;

    /** With the pauses between them, time enough for a personal server to restart. */
    private static final int TRIES_MAX = 6;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private static final String VERSION = Release.HEADER.toLowerCase(Locale.ROOT);

    private static final String IF_IT_FITS = "?ifItFits=true";

    private static final String MAY_BE_DONE =
            ".\n"
                + "Whether the server has accepted it is not known: look at the list of jobs before"
                + " you submit it again.";

    private final Endpoint.Locator locator;
    private HttpConnection idle;
    private String serverVersion;

    public Client(Endpoint.Locator locator) {
        this.locator = locator;
    }

    /** Connects now instead of with the first call, to learn early whether a server is there. */
    public void open() throws Unreachable {
        if (idle == null) idle = connect();
    }

    /**
     * Which release the server said that it is, in its last answer; empty where it does not say.
     */
    public Optional<String> serverVersion() {
        return Optional.ofNullable(serverVersion);
    }

    private HttpConnection connect() throws Unreachable {
        return HttpConnection.open(locator.locate());
    }

    /**
     * Submits all jobs or none; with an array, the one spec becomes a job for each index.
     *
     * @param as whose jobs they will be; null: the caller's
     * @param ifItFits refuses a job that could never start on its cluster as that is now
     */
    public Answer<SubmitAnswer> submit(
            List<SpecBody> jobs, ArrayBody array, String as, HereBody here, boolean ifItFits)
            throws Unreachable, Refused {
        var request = new SubmitRequest(RequestName.fresh(), jobs, array, as, here, null);
        return submit(request, ifItFits ? IF_IT_FITS : "");
    }

    /**
     * Submits a job in the place of another, which is aborted in the same moment if it has not
     * ended. Where the new one is refused, as is one that could never start, the old one goes on.
     */
    public Answer<SubmitAnswer> submitInstead(String old, SpecBody job, HereBody here)
            throws Unreachable, Refused {
        var request = new SubmitRequest(RequestName.fresh(), List.of(job), null, null, here, old);
        return submit(request, IF_IT_FITS);
    }

    private Answer<SubmitAnswer> submit(SubmitRequest request, String query)
            throws Unreachable, Refused {
        return new Answer<>(
                repeated("/v1/jobs" + query, Wire.json(request, SubmitRequest.class)),
                Wire.type(SubmitAnswer.class));
    }

    /** The complete specs that a submit would make; nothing is submitted. */
    public Answer<List<SpecBody>> dryRun(
            List<SpecBody> jobs, ArrayBody array, String as, HereBody here, boolean ifItFits)
            throws Unreachable, Refused {
        var request = new SubmitRequest(null, jobs, array, as, here, null);
        String target = "/v1/jobs?dryRun=true" + (ifItFits ? "&ifItFits=true" : "");
        byte[] body = call("POST", target, Wire.json(request, SubmitRequest.class));
        return new Answer<>(body, Wire.type(SpecBody.class).list());
    }

    public Answer<JobPage> jobs(JobFilter filter) throws Unreachable, Refused {
        return get(Target.listPath(filter), JobPage.class);
    }

    public Answer<JobDetail> job(String id) throws Unreachable, Refused {
        return get(Target.path(id, ""), JobDetail.class);
    }

    public Answer<SpecBody> spec(String id) throws Unreachable, Refused {
        return get(Target.path(id, "/spec"), SpecBody.class);
    }

    public Answer<WhyBody> why(String id) throws Unreachable, Refused {
        return get(Target.path(id, "/why"), WhyBody.class);
    }

    public Answer<ProfileBody> profile(String id) throws Unreachable, Refused {
        return get(Target.path(id, "/profile"), ProfileBody.class);
    }

    public Answer<JobBody> abort(String id) throws Unreachable, Refused {
        byte[] body = call("POST", Target.path(id, "/abort"), null);
        return new Answer<>(body, Wire.type(JobBody.class));
    }

    /** Aborts jobs and arrays, as far as they have not ended. */
    public Answer<JobsAnswer> abort(List<String> jobs) throws Unreachable, Refused {
        byte[] json = Wire.json(new JobsRequest(jobs), JobsRequest.class);
        return new Answer<>(call("POST", "/v1/abort", json), Wire.type(JobsAnswer.class));
    }

    /** Aborts all jobs of an array that have not ended. */
    public Answer<JobsAnswer> abortArray(String array) throws Unreachable, Refused {
        byte[] body = call("POST", "/v1/arrays/" + array + "/abort", null);
        return new Answer<>(body, Wire.type(JobsAnswer.class));
    }

    /** Removes all jobs of an array that have ended. */
    public Answer<JobsAnswer> deleteArray(String array) throws Unreachable, Refused {
        byte[] body = call("DELETE", "/v1/arrays/" + array, null);
        return new Answer<>(body, Wire.type(JobsAnswer.class));
    }

    public Answer<JobBody> priority(String id, PriorityRequest request)
            throws Unreachable, Refused {
        byte[] json = Wire.json(request, PriorityRequest.class);
        return new Answer<>(
                call("POST", Target.path(id, "/priority"), json), Wire.type(JobBody.class));
    }

    /** Submits the job's spec again; an active job is aborted first. */
    public Answer<SubmitAnswer> resubmit(String id, Integer gpus) throws Unreachable, Refused {
        return again(Target.path(id, ""), gpus);
    }

    /** The same for all jobs of an array. */
    public Answer<SubmitAnswer> resubmitArray(String array, Integer gpus)
            throws Unreachable, Refused {
        return again("/v1/arrays/" + array, gpus);
    }

    private Answer<SubmitAnswer> again(String path, Integer gpus) throws Unreachable, Refused {
        var request = new ResubmitRequest(RequestName.fresh(), gpus);
        byte[] body = repeated(path + "/resubmit", Wire.json(request, ResubmitRequest.class));
        return new Answer<>(body, Wire.type(SubmitAnswer.class));
    }

    public void delete(String id) throws Unreachable, Refused {
        call("DELETE", Target.path(id, ""), null);
    }

    /**
     * @param cluster null for all
     */
    public Answer<NodeList> nodes(String cluster) throws Unreachable, Refused {
        var target = new StringBuilder("/v1/nodes");
        Target.append(target, "cluster", cluster);
        return get(target.toString(), NodeList.class);
    }

    /**
     * @param cluster null for the server's first
     */
    public Answer<QueueList> queue(String cluster) throws Unreachable, Refused {
        var target = new StringBuilder("/v1/queue");
        Target.append(target, "cluster", cluster);
        return get(target.toString(), QueueList.class);
    }

    public Answer<ReportBody> report(Instant from) throws Unreachable, Refused {
        return get("/v1/report?from=" + from, ReportBody.class);
    }

    public Answer<StatsBody> stats() throws Unreachable, Refused {
        return get("/v1/stats", StatsBody.class);
    }

    /**
     * What the policy sees of a cluster, as JSON.
     *
     * @param cluster null: the server's first
     */
    public byte[] snapshot(String cluster) throws Unreachable, Refused {
        var target = new StringBuilder("/v1/snapshot");
        Target.append(target, "cluster", cluster);
        return call("GET", target.toString(), null);
    }

    public Answer<ServerBody> server() throws Unreachable, Refused {
        return get("/v1/server", ServerBody.class);
    }

    public Answer<ProjectList> projects() throws Unreachable, Refused {
        return get("/v1/projects", ProjectList.class);
    }

    /**
     * @param create whether it must be new; otherwise it must be known
     */
    public Answer<ProjectBody> setProject(String name, ProjectRequest request, boolean create)
            throws Unreachable, Refused {
        String target = "/v1/projects/" + Target.encoded(name) + (create ? "?create=true" : "");
        byte[] body = call("PUT", target, Wire.json(request, ProjectRequest.class));
        return new Answer<>(body, Wire.type(ProjectBody.class));
    }

    /** Only one in which nothing is unfinished. */
    public void deleteProject(String name) throws Unreachable, Refused {
        call("DELETE", "/v1/projects/" + Target.encoded(name), null);
    }

    public Answer<PersonList> people() throws Unreachable, Refused {
        return get("/v1/people", PersonList.class);
    }

    /** Makes somebody known. */
    public Answer<TokenAnswer> createPerson(String name, PersonRequest request)
            throws Unreachable, Refused {
        byte[] json = Wire.json(request, PersonRequest.class);
        byte[] body = call("PUT", "/v1/people/" + Target.encoded(name), json);
        return new Answer<>(body, Wire.type(TokenAnswer.class));
    }

    /** Changes what is known of somebody; their token stays. */
    public Answer<PersonBody> changePerson(String name, PersonRequest request)
            throws Unreachable, Refused {
        byte[] json = Wire.json(request, PersonRequest.class);
        byte[] body = call("PATCH", "/v1/people/" + Target.encoded(name), json);
        return new Answer<>(body, Wire.type(PersonBody.class));
    }

    /** Their token stops working; their jobs stay. */
    public void deletePerson(String name) throws Unreachable, Refused {
        call("DELETE", "/v1/people/" + Target.encoded(name), null);
    }

    /** A new token; the old one stops working. */
    public Answer<TokenAnswer> token(String name) throws Unreachable, Refused {
        byte[] body = call("POST", "/v1/people/" + Target.encoded(name) + "/token", null);
        return new Answer<>(body, Wire.type(TokenAnswer.class));
    }

    /** The calls about tokens, secrets and the audit, on the same connection. */
    public TeamCalls team() {
        return new TeamCalls(this);
    }

    /** With it they may log in; what they had logged in to ends. */
    public void setPassword(String name, PasswordRequest request) throws Unreachable, Refused {
        byte[] json = Wire.json(request, PasswordRequest.class);
        call("PUT", "/v1/people/" + Target.encoded(name) + "/password", json);
    }

    /** Whoever the token belongs to. */
    public Answer<PersonBody> me() throws Unreachable, Refused {
        return get("/v1/me", PersonBody.class);
    }

    /** Returns when the server has agreed to stop; running tasks go on. */
    public void stop() throws Unreachable, Refused {
        call("POST", "/v1/server/stop", null);
    }

    /** The cluster that is as asked for, which the server makes where it has none. */
    public Answer<ClusterBody> cluster(ClusterRequest request) throws Unreachable, Refused {
        byte[] body = call("POST", "/v1/clusters", Wire.json(request, ClusterRequest.class));
        return new Answer<>(body, Wire.type(ClusterBody.class));
    }

    /** Returns when the copy is complete. The path is the server's and absolute. */
    public void backup(String file) throws Unreachable, Refused {
        call("POST", "/v1/server/backup", Wire.json(new BackupRequest(file), BackupRequest.class));
    }

    /** Copies what was written so far, as it is. */
    public void logs(String id, LogQuery query, OutputStream out) throws IOException, Refused {
        logs(id, query, 0, out);
    }

    /** Copies what was written from the offset on, or from the first byte that is still kept. */
    public LogEnd logs(String id, LogQuery query, long offset, OutputStream out)
            throws IOException, Refused {
        var target = new StringBuilder(Target.logPath(id, query, false));
        if (offset > 0) Target.append(target, "offset", offset);
        HttpConnection connection = connect();
        try (connection) {
            var response = connection.exchange("GET", target.toString(), null, ANSWER_TIMEOUT);
            check(response);
            response.body().transferTo(out);
            return new LogEnd(
                    (int) number(response, "x-log-attempt"), number(response, "x-log-offset"));
        }
    }

    private static long number(HttpResponse response, String header) throws Unreachable {
        String text = response.headers().getOrDefault(header, "0");
        if (text.matches("\\d{1,18}")) return Long.parseLong(text);
        throw new Unreachable("the server's answer has no usable " + header + ": " + text);
    }

    /** Starts a command beside a running task and connects to it. */
    public ExecChannel exec(String id, ExecBody request) throws IOException, Refused {
        return channel(Target.path(id, "/exec"), Wire.json(request, ExecBody.class));
    }

    /** Joins a running task. */
    public ExecChannel attach(String id, AttachBody request) throws IOException, Refused {
        return channel(Target.path(id, "/attach"), Wire.json(request, AttachBody.class));
    }

    /** One connection to a port of a running task. */
    public ExecChannel forward(String id, ForwardBody request) throws IOException, Refused {
        return channel(Target.path(id, "/forward"), Wire.json(request, ForwardBody.class));
    }

    private ExecChannel channel(String begin, byte[] request) throws IOException, Refused {
        byte[] body = call("POST", begin, request);
        var answer = new Answer<>(body, Wire.type(ExecAnswer.class));
        HttpConnection connection = connect();
        try {
            String target = "/v1/exec/" + Target.encoded(answer.value().session());
            var response = connection.upgrade(target, Frame.PROTOCOL, ANSWER_TIMEOUT);
            check(response);
            if (response.status() != HttpResponse.SWITCHED)
                throw new Unreachable(
                        "something between here and the server does not pass on an upgrade of the"
                                + " connection");
            return new ExecChannel(connection, response, answer.value().readsInput());
        } catch (IOException | Refused e) {
            connection.close();
            throw e;
        }
    }

    /** What was written so far and what comes, until the job's end. */
    public EventStream follow(String id, LogQuery query) throws Unreachable, Refused {
        return stream(Target.logPath(id, query, true), query.after());
    }

    /** What happened to the job and what happens, until its end. */
    public EventStream events(String id) throws Unreachable, Refused {
        return stream(Target.path(id, "/events"), null);
    }

    /** What happens to all jobs from now on. */
    public EventStream events() throws Unreachable, Refused {
        return stream("/v1/events", null);
    }

    private EventStream stream(String target, String after) throws Unreachable, Refused {
        HttpConnection connection = connect();
        try {
            var response = connection.resume(target, after, ANSWER_TIMEOUT);
            check(response);
            return new EventStream(connection, response);
        } catch (Unreachable | Refused e) {
            connection.close();
            throw e;
        }
    }

    <T> Answer<T> get(String target, Class<T> type) throws Unreachable, Refused {
        return new Answer<>(call("GET", target, null), Wire.type(type));
    }

    /** A call that names itself, so an answer that is lost or late is no reason to give up. */
    private byte[] repeated(String target, byte[] body) throws Unreachable, Refused {
        Duration pause = FIRST_PAUSE;
        boolean mayBeDone = false;
        for (int attempt = 1; ; attempt++) {
            try {
                open();
                mayBeDone = true;
                return call("POST", target, body);
            } catch (Unreachable e) {
                if (attempt == TRIES_MAX || !slept(pause))
                    throw mayBeDone ? new Unreachable(e.getMessage() + MAY_BE_DONE, e) : e;
            } catch (Refused e) {
                boolean mayRepeat = e.is(ErrorCode.UNDECIDED) && attempt < TRIES_MAX;
                if (!mayRepeat || !slept(pause)) throw e;
            }
            pause = pause.multipliedBy(2);
        }
    }

    private static boolean slept(Duration pause) {
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    byte[] call(String method, String target, byte[] body) throws Unreachable, Refused {
        HttpConnection connection = idle == null ? connect() : idle;
        idle = null;
        // A connection kept from before may have been closed meanwhile, which says nothing.
        boolean mayBeStale = connection.used();
        try {
            return call(connection, method, target, body);
        } catch (Unreachable e) {
            connection.close();
            if (mayBeStale && method.equals("GET")) return call(connect(), method, target, body);
            throw e;
        }
    }

    private byte[] call(HttpConnection connection, String method, String target, byte[] body)
            throws Unreachable, Refused {
        var response = connection.exchange(method, target, body, ANSWER_TIMEOUT);
        serverVersion = response.headers().get(VERSION);
        byte[] answer = bytes(response);
        if (response.keepsConnection()) idle = connection;
        else connection.close();
        Refused.unlessDone(response.status(), answer);
        return answer;
    }

    private static byte[] bytes(HttpResponse response) throws Unreachable {
        try {
            byte[] bytes = response.body().readNBytes(BODY_BYTES_MAX);
            if (bytes.length == BODY_BYTES_MAX) throw new IOException("the answer is too long");
            return bytes;
        } catch (IOException e) {
            throw new Unreachable("the server's answer broke off (" + e.getMessage() + ")", e);
        }
    }

    private static void check(HttpResponse response) throws Unreachable, Refused {
        if (response.status() >= 300) Refused.unlessDone(response.status(), bytes(response));
    }

    @Override
    public void close() {
        if (idle != null) idle.close();
        idle = null;
    }
}
