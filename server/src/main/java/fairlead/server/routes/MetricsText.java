package fairlead.server.routes;

import fairlead.cluster.NodeState;
import fairlead.control.Cluster;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.http.Call;
import fairlead.server.http.RequestCounts;
import fairlead.server.runtime.Loop;

import java.util.Locale;

/** What Prometheus reads, in its text format. */
final class MetricsText {
    private final Parts parts;
    private final RequestCounts requests;

    MetricsText(Parts parts, RequestCounts requests) {
        this.parts = parts;
        this.requests = requests;
    }

    void send(Call call) throws JournalException {
        var text = new StringBuilder();
        type(text, "fairlead_jobs", "gauge", "Jobs known, by state.");
        ClusterRoutes.jobsByState(parts.controller(), parts.journal())
                .forEach(
                        (word, count) ->
                                line(text, "fairlead_jobs{state=\"" + word + "\"}", count));
        predictions(text);
        gpus(text);
        loop(text);
        simple(
                text,
                "fairlead_inbox_size",
                "gauge",
                "Messages that wait for the loop.",
                parts.inbox().size());
        simple(
                text,
                "fairlead_open_streams",
                "gauge",
                "Answers that go on for long.",
                parts.streams().count() + parts.execs().count());
        simple(
                text,
                "fairlead_journal_bytes",
                "gauge",
                "Size of the journal on disk.",
                parts.journalBytes().getAsLong());
        simple(
                text,
                "fairlead_journal_damaged",
                "gauge",
                "Whether a check found the journal's file damaged.",
                parts.care().damage().isPresent() ? 1 : 0);
        type(text, "fairlead_http_requests_total", "counter", "Requests answered.");
        requests.snapshot()
                .forEach(
                        (key, count) ->
                                line(
                                        text,
                                        "fairlead_http_requests_total{method=\"%s\",route=\"%s\",status=\"%d\"}"
                                                .formatted(key.method(), key.path(), key.status()),
                                        count));
        reported(text);
        memory(text);
        call.sendMetrics(text.toString());
    }

    /** A gauge, because those of jobs that are no longer kept are no longer counted. */
    private void predictions(StringBuilder text) throws JournalException {
        Journal.Predicted predicted = parts.journal().predicted();
        String name = "fairlead_predicted_starts";
        type(text, name, "gauge", "Starts that were foretold, by whether they fell into the band.");
        line(text, name + "{band=\"hit\"}", predicted.well());
        line(text, name + "{band=\"missed\"}", predicted.badly());
    }

    private void gpus(StringBuilder text) {
        var free = new StringBuilder();
        type(text, "fairlead_gpus", "gauge", "GPUs of a cluster.");
        type(free, "fairlead_gpus_free", "gauge", "GPUs of a cluster that no job holds.");
        for (Cluster cluster : parts.controller().clusters()) {
            long all = 0;
            long unheld = 0;
            for (NodeState state : parts.controller().view(cluster.name()).nodes()) {
                all += state.node().gpus().size();
                unheld += state.freeGpus().size();
            }
            line(text, "fairlead_gpus{cluster=\"" + cluster.name() + "\"}", all);
            line(free, "fairlead_gpus_free{cluster=\"" + cluster.name() + "\"}", unheld);
        }
        text.append(free);
        type(text, "fairlead_cluster_reachable", "gauge", "Whether a cluster can be looked at.");
        for (Cluster cluster : parts.controller().clusters()) {
            boolean reachable = parts.controller().unreachable(cluster.name()).isEmpty();
            line(
                    text,
                    "fairlead_cluster_reachable{cluster=\"" + cluster.name() + "\"}",
                    reachable ? 1 : 0);
        }
    }

    private void loop(StringBuilder text) {
        Loop.Counts counts = parts.loop().counts();
        simple(text, "fairlead_ticks_total", "counter", "Ticks of the loop.", counts.ticks());
        type(text, "fairlead_tick_seconds", "summary", "How long ticks took, commits included.");
        text.append("fairlead_tick_seconds_sum ")
                .append(String.format(Locale.ROOT, "%.6f", counts.seconds()))
                .append('\n');
        line(text, "fairlead_tick_seconds_count", counts.ticks());
        simple(
                text,
                "fairlead_commits_total",
                "counter",
                "Ticks that wrote to the journal.",
                counts.commits());
        simple(
                text,
                "fairlead_journal_failures_total",
                "counter",
                "Ticks that the journal refused.",
                counts.failures());
        simple(
                text,
                "fairlead_facts_total",
                "counter",
                "Facts written to the journal.",
                counts.facts());
        simple(
                text,
                "fairlead_epochs_total",
                "counter",
                "Epochs that training scripts have reported.",
                counts.epochs());
        simple(
                text,
                "fairlead_preemptions_at_checkpoint_total",
                "counter",
                "Preemptions that waited for the next checkpoint.",
                counts.politeStops());
    }

    private void reported(StringBuilder text) {
        String name = "fairlead_job_metric";
        type(text, name, "gauge", "What scripts have last reported, of jobs that did so lately.");
        parts.measurements()
                .latest()
                .forEach(
                        (job, values) ->
                                values.forEach(
                                        (metric, value) ->
                                                text.append(name)
                                                        .append("{job=\"")
                                                        .append(job)
                                                        .append("\",metric=\"")
                                                        .append(escaped(metric))
                                                        .append("\"} ")
                                                        .append(value)
                                                        .append('\n')));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static void memory(StringBuilder text) {
        Runtime runtime = Runtime.getRuntime();
        type(text, "fairlead_jvm_memory_bytes", "gauge", "Heap of the server.");
        line(
                text,
                "fairlead_jvm_memory_bytes{kind=\"used\"}",
                runtime.totalMemory() - runtime.freeMemory());
        line(text, "fairlead_jvm_memory_bytes{kind=\"committed\"}", runtime.totalMemory());
        line(text, "fairlead_jvm_memory_bytes{kind=\"max\"}", runtime.maxMemory());
    }

    private static void simple(
            StringBuilder text, String name, String type, String help, long value) {
        type(text, name, type, help);
        line(text, name, value);
    }

    private static void type(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder text, String series, long value) {
        text.append(series).append(' ').append(value).append('\n');
    }
}
