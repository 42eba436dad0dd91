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
import fairlead.server.http.Call;
import fairlead.server.http.Facade;
import fairlead.server.http.HttpFront;
import fairlead.server.http.RequestCounts;
import fairlead.server.http.Route;
import fairlead.server.http.Visitors;
import fairlead.server.runtime.Questions;
import fairlead.server.runtime.StopOrders;
import fairlead.server.sessions.ExecUpgrade;

import java.util.List;
import java.util.function.Supplier;

/** The one table of all calls; docs/http.md and the OpenAPI description say the same. */
public final class Routes {
    private Routes() {}

    /**
     * A listener for all of them, which does not listen yet.
     *
     * @param url where it will listen, asked only then
     */
    public static HttpFront front(
            Parts parts,
            String host,
            int port,
            Access access,
            Admission admission,
            Visitors visitors,
            Questions questions,
            Facade<?> openPai,
            Supplier<String> url) {
        var counts = new RequestCounts();
        var upgrade = new ExecUpgrade(parts.execs(), parts.streams(), access);
        var own =
                new OwnFacade(
                        table(parts, access, admission, questions, counts, url), access, visitors);
        return new HttpFront(host, port, List.of(openPai, own), upgrade, counts);
    }

    private static List<Route<Call>> table(
            Parts parts,
            Access access,
            Admission admission,
            Questions questions,
            RequestCounts counts,
            Supplier<String> url) {
        var finder = new JobFinder(parts.controller(), parts.journal());
        var explanations = parts.explanations();
        var places = new Clusters(parts.controller(), parts.about().clusters(), parts.engines());
        var why = new WhyRoute(finder, parts.controller(), explanations, parts.interpreter());
        var listing = new Listing(parts.controller(), places, parts.journal(), explanations, why);
        var jobs =
                new JobRoutes(
                        finder,
                        parts.controller(),
                        parts.journal(),
                        explanations,
                        why,
                        parts.engines());
        var submits = new SubmitRoutes(finder, admission, places, parts.engines(), access);
        var changes = new ChangeRoutes(finder, parts.journal(), questions, parts.retention());
        var projects = new ProjectRoutes(parts.controller(), questions);
        var people = new PeopleRoutes(parts.controller(), questions, access);
        var events = new EventRoutes(finder, jobs, parts.facts(), parts.streams());
        var logs = new LogRoutes(finder, jobs, parts.engines(), parts.facts(), parts.streams());
        var execs = new ExecRoutes(finder, parts.engines(), parts.execs());
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
                        parts.about().policy());
        var server = new ServerRoutes(parts, places, url);
        var queue = new QueueRoutes(parts.controller(), places);
        var described = new DescribePage(finder, jobs, parts.controller(), places);
        var metrics = new MetricsText(parts, counts);
        return List.of(
                post("/v1/jobs", submits::submit, "dryRun", "ifItFits"),
                post("/submit", submits::script),
                get(
                        "/v1/jobs",
                        listing::list,
                        "state",
                        "owner",
                        "array",
                        "cluster",
                        "limit",
                        "before"),
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
                        "follow"),
                post("/v1/jobs/{id}/exec", execs::exec),
                post("/v1/jobs/{id}/attach", execs::attach),
                post("/v1/jobs/{id}/forward", execs::forward),
                get("/v1/exec/{session}", execs::connect),
                get("/v1/jobs/{id}/profile", training::profile),
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
                get("/v1/nodes", clusters::nodes, "cluster"),
                get("/v1/stats", clusters::stats),
                page("/v1/queue", queue::queue, "cluster"),
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
                get("/v1/me", people::me),
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
