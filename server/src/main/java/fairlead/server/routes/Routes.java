package fairlead.server.routes;

import static fairlead.server.http.Route.delete;
import static fairlead.server.http.Route.get;
import static fairlead.server.http.Route.jobPost;
import static fairlead.server.http.Route.open;
import static fairlead.server.http.Route.openPost;
import static fairlead.server.http.Route.page;
import static fairlead.server.http.Route.patch;
import static fairlead.server.http.Route.post;
import static fairlead.server.http.Route.put;

import fairlead.server.admission.Admission;
import fairlead.server.auth.Access;
import fairlead.server.auth.BrowserAccess;
import fairlead.server.auth.Roster;
import fairlead.server.auth.Secrets;
import fairlead.server.http.Answered;
import fairlead.server.http.Call;
import fairlead.server.http.Facade;
import fairlead.server.http.HttpFront;
import fairlead.server.http.PersonLimits;
import fairlead.server.http.RequestCounts;
import fairlead.server.http.Route;
import fairlead.server.http.Visitors;
import fairlead.server.portal.PortPages;
import fairlead.server.portal.PortTickets;
import fairlead.server.portal.PortalFacade;
import fairlead.server.runtime.Questions;
import fairlead.server.runtime.StopOrders;
import fairlead.server.sessions.ExecUpgrade;
import fairlead.server.sessions.WebSocketUpgrade;

import io.helidon.webserver.http1.spi.Http1Upgrader;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;

/** The one table of all calls; docs/http.md and the OpenAPI description say the same. */
public final class Routes {
    private Routes() {}

    /**
     * What makes listeners for all of them, which do not listen yet.
     *
     * @param isEncrypted whether browsers reach the server by https only, through a proxy
     * @param url where it will listen, asked only then
     */
    public static Listeners listeners(
            Parts parts,
            PersonLimits limits,
            Consumer<Answered> audit,
            Roster roster,
            Secrets secrets,
            Access access,
            BrowserAccess browsers,
            Admission admission,
            Visitors visitors,
            Questions questions,
            Facade<?> openPai,
            boolean isEncrypted,
            Supplier<String> url) {
        var counts = new RequestCounts();
        List<Http1Upgrader> upgraders =
                List.of(
                        new ExecUpgrade(parts.execs(), parts.streams(), access),
                        new WebSocketUpgrade(parts.execs(), parts.streams(), browsers, visitors));
        var ports = new PortTickets(parts.clock());
        var sessions =
                new SessionRoutes(
                        parts.controller(), access, browsers, roster, parts.clock(), isEncrypted);
        var own =
                new OwnFacade(
                        table(
                                parts, roster, secrets, access, admission, questions, counts,
                                sessions, ports, url),
                        access,
                        browsers,
                        visitors);
        var portal = new PortalFacade(visitors);
        var pages =
                new PortPages(
                        ports,
                        new TaskPort(
                                new JobFinder(parts.controller(), parts.journal(), parts.bodies()),
                                parts.engines(),
                                access),
                        visitors);
        List<Facade<?>> facades = List.of(openPai, portal, pages, own);
        return (host, port, tls) ->
                new HttpFront(host, port, tls, facades, upgraders, counts, limits, audit);
    }

    /** Makes a listener for all calls. */
    @FunctionalInterface
    public interface Listeners {
        HttpFront on(String host, int port, Optional<SSLContext> tls);
    }

    private static List<Route<Call>> table(
            Parts parts,
            Roster roster,
            Secrets secrets,
            Access access,
            Admission admission,
            Questions questions,
            RequestCounts counts,
            SessionRoutes sessions,
            PortTickets ports,
            Supplier<String> url) {
        var finder = new JobFinder(parts.controller(), parts.journal(), parts.bodies());
        var explanations = parts.explanations();
        var places = new Clusters(parts.controller(), parts.about().clusters(), parts.engines());
        var why =
                new WhyRoute(
                        finder,
                        parts.journal(),
                        parts.controller(),
                        explanations,
                        parts.interpreter());
        var listing =
                new Listing(
                        finder,
                        parts.controller(),
                        places,
                        parts.journal(),
                        explanations,
                        why,
                        parts.bodies());
        var jobs =
                new JobRoutes(
                        finder,
                        parts.controller(),
                        parts.journal(),
                        explanations,
                        why,
                        parts.engines(),
                        parts.bodies());
        var forecast =
                new ForecastRoute(
                        parts.controller(), why, explanations::calibration, parts.clock());
        var submits =
                new SubmitRoutes(
                        finder,
                        admission,
                        places,
                        parts.engines(),
                        access,
                        forecast,
                        parts.forms().scripts());
        var files = new JobFileRoute(admission, parts.forms().files());
        var changes =
                new ChangeRoutes(
                        finder, parts.journal(), questions, parts.retention(), parts.bodies());
        var projects = new ProjectRoutes(parts.controller(), questions, roster, secrets);
        var people = new PeopleRoutes(parts.controller(), questions, access, roster, secrets);
        var tokens = new TokenRoutes(access, roster, parts.clock());
        var hidden = new SecretRoutes(parts.controller(), access, secrets);
        var audited = new AuditRoutes(parts.journal());
        var events = new EventRoutes(finder, jobs, parts.facts(), parts.streams());
        var logs = new LogRoutes(finder, jobs, parts.engines(), parts.facts(), parts.streams());
        var execs = new ExecRoutes(finder, parts.engines(), parts.execs(), ports);
        var reporting = new Reporting(questions, parts.clock());
        var orders = new StopOrders(parts.controller(), parts.about().started());
        var training = new TrainingRoutes(finder, parts.controller(), reporting, orders);
        var published =
                new PublishedRoutes(
                        finder, parts.controller(), parts.launched(), reporting, orders);
        var clusters =
                new ClusterRoutes(
                        parts.controller(),
                        places,
                        parts.journal(),
                        parts.engines(),
                        explanations,
                        parts.add(),
                        parts.about().policy());
        var server = new ServerRoutes(parts, places, url);
        var queue = new QueueRoutes(parts.controller(), places, explanations, why, parts.gpuUse());
        var described = new DescribePage(finder, jobs, parts.controller(), places);
        var metrics = new MetricsText(parts, counts);
        var measured =
                new MetricsRoutes(
                        finder, places, parts.measurements(), parts.gpuUse(), parts.clock());
        return List.of(
                post("/v1/jobs", submits::submit, "dryRun", "ifItFits", "forecast"),
                post("/v1/jobfile", files::read),
                post("/submit", submits::script),
                get(
                        "/v1/jobs",
                        listing::list,
                        "state",
                        "owner",
                        "array",
                        "cluster",
                        "limit",
                        "before",
                        "arrays"),
                get("/v1/jobs/{id}", jobs::detail),
                delete("/v1/jobs/{id}", changes::delete),
                get("/v1/jobs/{id}/spec", jobs::spec),
                get("/v1/jobs/{id}/why", why::why),
                get("/v1/jobs/{id}/events", events::ofJob),
                get(
                        "/v1/jobs/{id}/logs",
                        logs::logs,
                        "task",
                        "attempt",
                        "tail",
                        "offset",
                        "length",
                        "follow"),
                get(
                        "/v1/jobs/{id}/logs/search",
                        logs::search,
                        "text",
                        "task",
                        "attempt",
                        "offset",
                        "backwards",
                        "limit"),
                post("/v1/jobs/{id}/exec", execs::exec),
                post("/v1/jobs/{id}/attach", execs::attach),
                post("/v1/jobs/{id}/forward", execs::forward),
                post("/v1/jobs/{id}/ports/{port}", execs::openPort),
                get("/v1/exec/{session}", execs::connect),
                get("/v1/jobs/{id}/profile", training::profile),
                get("/v1/jobs/{id}/metrics", measured::metrics),
                jobPost("/v1/jobs/{id}/metrics", measured::report),
                jobPost("/v1/jobs/{id}/training", training::report),
                post("/v1/jobs/{id}/abort", changes::abort),
                post("/v1/abort", changes::abortAll),
                post("/v1/arrays/{id}/abort", changes::abortArray),
                post("/v1/arrays/{id}/resubmit", submits::resubmitArray),
                delete("/v1/arrays/{id}", changes::deleteArray),
                post("/v1/jobs/{id}/resubmit", submits::resubmit),
                post("/v1/jobs/{id}/priority", changes::priority),
                open("/has_to_stop/{uuid}", published::hasToStop),
                openPost("/end_epoch/{uuid}", published::endEpoch),
                openPost("/profiling/{uuid}", published::profiling),
                get("/v1/events", events::ofAll),
                post("/v1/clusters", clusters::add),
                get("/v1/nodes", clusters::nodes, "cluster"),
                get("/v1/gpus", measured::gpus, "cluster"),
                get("/v1/timeline", clusters::timeline, "cluster", "from"),
                get("/v1/stats", clusters::stats),
                get("/v1/report", clusters::report, "from", "to"),
                page("/v1/queue", queue::queue, "cluster", "offset", "limit"),
                page("/queue", queue::page, "cluster"),
                page("/api/state", queue::state, "cluster"),
                page("/describe/{name}", described::page),
                get("/v1/snapshot", clusters::snapshot, "cluster"),
                get("/v1/projects", projects::list),
                put("/v1/projects/{name}", projects::set, "create"),
                delete("/v1/projects/{name}", projects::delete),
                get("/v1/people", people::list),
                put("/v1/people/{name}", people::create),
                patch("/v1/people/{name}", people::change),
                delete("/v1/people/{name}", people::delete),
                post("/v1/people/{name}/token", people::token),
                put("/v1/people/{name}/password", people::password),
                get("/v1/people/{name}/tokens", tokens::list),
                post("/v1/people/{name}/tokens", tokens::create),
                delete("/v1/people/{name}/tokens/{token}", tokens::revoke),
                get("/v1/people/{name}/secrets", hidden::ofPerson),
                put("/v1/people/{name}/secrets/{secret}", hidden::setOfPerson),
                delete("/v1/people/{name}/secrets/{secret}", hidden::deleteOfPerson),
                get("/v1/projects/{name}/secrets", hidden::ofProject),
                put("/v1/projects/{name}/secrets/{secret}", hidden::setOfProject),
                delete("/v1/projects/{name}/secrets/{secret}", hidden::deleteOfProject),
                openPost("/v1/login", sessions::logIn),
                get("/v1/me", people::me),
                get(
                        "/v1/audit",
                        audited::list,
                        "who",
                        "action",
                        "subject",
                        "from",
                        "until",
                        "limit"),
                openPost("/v1/session", sessions::begin),
                put("/v1/session", sessions::renew),
                delete("/v1/session", sessions::end),
                get("/v1/server", server::about),
                post("/v1/server/stop", server::stop),
                post("/v1/server/backup", server::backup),
                open("/v1/openapi.json", server::openapi),
                open("/v1/job.schema.json", server::jobSchema),
                get("/metrics", metrics::send),
                open("/healthz", server::health),
                open("/readyz", server::ready));
    }
}
