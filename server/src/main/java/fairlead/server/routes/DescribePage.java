package fairlead.server.routes;

import fairlead.api.EventBody;
import fairlead.api.JobBody;
import fairlead.api.QueueBody;
import fairlead.cluster.Guest;
import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.JournalException;
import fairlead.policy.fair.Turn;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A page about one piece of work: a line of the queue in full. It is found by the name that the
 * queue has for it, by a job's own name, or by its pod's. What a job runs is not on it, as everyone
 * may open it.
 */
final class DescribePage {
    private final JobFinder finder;
    private final JobRoutes jobs;
    private final Controller controller;
    private final Clusters clusters;

    DescribePage(JobFinder finder, JobRoutes jobs, Controller controller, Clusters clusters) {
        this.finder = finder;
        this.jobs = jobs;
        this.controller = controller;
        this.clusters = clusters;
    }

    void page(Call call) throws JournalException {
        String name = call.name();
        Optional<Turn> turn = inQueue(name);
        switch (turn.map(Turn::work).orElse(null)) {
            case Turn.Theirs(Guest guest) -> send(call, guest.name(), facts(guest), List.of());
            case Turn.Ours(Job job) -> send(call, job.id(), turn);
            case null -> send(call, finder.find(name, call).id(), turn);
        }
    }

    private Optional<Turn> inQueue(String name) {
        return clusters.names().stream()
                .flatMap(cluster -> Turn.all(controller.view(cluster)).stream())
                .filter(turn -> isCalled(turn.work(), name))
                .findFirst();
    }

    private static boolean isCalled(Turn.Work work, String name) {
        if (work.name().equals(name)) return true;
        return work instanceof Turn.Ours(Job job)
                && (job.spec().name().equals(name)
                        || job.spec().podName().filter(name::equals).isPresent());
    }

    private void send(Call call, JobId id, Optional<Turn> turn) throws JournalException {
        var past =
                jobs.past(id)
                        .orElseThrow(
                                () -> Problem.notFound("name", "no job '" + id.text() + "' now"));
        send(call, id.text(), facts(jobs.body(past), turn), past.latestEvents());
    }

    private static Map<String, String> facts(JobBody job, Optional<Turn> turn) {
        var facts = new LinkedHashMap<String, String>();
        facts.put("Name", job.name());
        facts.put("User", job.owner());
        facts.put("Project", job.project());
        facts.put("Cluster", job.cluster());
        facts.put("Status", job.state());
        facts.put("Reason", job.reason());
        facts.put("GPUs", job.gpuPart() == null ? String.valueOf(job.gpus()) : job.gpuPart());
        facts.put("Priority", QueueBody.priorityWord(job.priority()));
        turn.ifPresent(each -> facts.put("User's GPU", QueueBody.ordinalWord(each.ordinal())));
        facts.put("Node", job.nodes() == null ? null : String.join(", ", job.nodes()));
        facts.put("Created", job.submitted());
        facts.put("Started", job.started());
        facts.put("Finished", job.finished());
        return facts;
    }

    private static Map<String, String> facts(Guest guest) {
        var facts = new LinkedHashMap<String, String>();
        facts.put("Name", guest.name());
        facts.put("User", guest.owner());
        facts.put("Status", guest.status() + " (not by Fairlead)");
        facts.put("GPUs", String.valueOf(guest.gpus()));
        facts.put("Priority", QueueBody.priorityWord(guest.priority()));
        facts.put("Node", guest.node().orElse(null));
        facts.put("Created", guest.created().toString());
        facts.put("Started", guest.started().map(Object::toString).orElse(null));
        return facts;
    }

    private static void send(
            Call call, String title, Map<String, String> facts, List<EventBody> events) {
        var html = new StringBuilder("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">");
        html.append("<title>").append(escaped(title)).append("</title>\n");
        html.append("<h1>").append(escaped(title)).append("</h1>\n<table>\n");
        facts.forEach(
                (name, value) -> {
                    if (value != null && !value.isEmpty()) row(html, name, value);
                });
        html.append("</table>\n");
        if (!events.isEmpty()) html.append("<h2>Events</h2>\n<table>\n");
        for (EventBody event : events) {
            row(html, event.at(), event.event(), event.detail() == null ? "" : event.detail());
        }
        if (!events.isEmpty()) html.append("</table>\n");
        html.append("<p><a href=\"/queue\">The queue</a></p></html>\n");
        call.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        call.header("X-Content-Type-Options", "nosniff");
        call.header("Cache-Control", "no-store");
        call.sendHtml(html.toString());
    }

    private static void row(StringBuilder html, String... cells) {
        html.append("<tr>");
        for (String cell : cells) html.append("<td>").append(escaped(cell)).append("</td>");
        html.append("</tr>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
