package fairlead.server.http;

import static fairlead.server.http.Route.delete;
import static fairlead.server.http.Route.get;
import static fairlead.server.http.Route.open;
import static fairlead.server.http.Route.post;

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
            Parts parts, String host, int port, Access access, Supplier<String> url) {
        var counts = new RequestCounts();
        return new HttpFront(host, port, table(parts, counts, url), access, counts);
    }

    private static List<Route> table(Parts parts, RequestCounts counts, Supplier<String> url) {
        var finder = new JobFinder(parts.controller(), parts.journal());
        var explanations = new Explanations(parts.controller());
        var listing = new Listing(parts.controller(), parts.journal(), explanations);
        var jobs =
                new JobRoutes(
                        finder,
                        parts.journal(),
                        explanations,
                        parts.interpreter(),
                        parts.engines());
        var submits =
                new SubmitRoutes(
                        finder,
                        parts.controller(),
                        parts.inbox()::offer,
                        parts.engines(),
                        parts.retention(),
                        parts.about().userHome());
        var events = new EventRoutes(finder, jobs, parts.facts(), parts.streams());
        var logs = new LogRoutes(finder, jobs, parts.engines(), parts.facts(), parts.streams());
        var clusters = new ClusterRoutes(parts.controller(), parts.journal(), parts.engines());
        var server = new ServerRoutes(parts, url);
        var metrics = new MetricsText(parts, counts);
        return List.of(
                post("/v1/jobs", submits::submit, "dryRun"),
                get("/v1/jobs", listing::list, "state", "owner", "array", "limit", "before"),
                get("/v1/jobs/{id}", jobs::detail),
                delete("/v1/jobs/{id}", submits::delete),
                get("/v1/jobs/{id}/spec", jobs::spec),
                get("/v1/jobs/{id}/why", jobs::why),
                get("/v1/jobs/{id}/events", events::ofJob),
                get(
                        "/v1/jobs/{id}/logs",
                        logs::logs,
                        "task",
                        "attempt",
                        "tail",
                        "offset",
                        "follow"),
                post("/v1/jobs/{id}/abort", submits::abort),
                post("/v1/jobs/{id}/resubmit", submits::resubmit),
                get("/v1/events", events::ofAll),
                get("/v1/nodes", clusters::nodes),
                get("/v1/stats", clusters::stats),
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
