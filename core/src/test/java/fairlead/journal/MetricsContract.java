package fairlead.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.job.Job;

import org.junit.jupiter.api.Test;

import java.util.List;

/** What every journal does with the metrics of jobs. */
abstract class MetricsContract {
    protected Journal journal;

    @Test
    void metricsAreKeptByNameAndGoWithTheirJob() throws JournalException {
        var life =
                JournalFixtures.Life.of(JournalFixtures.job(1))
                        .cancelled(JournalFixtures.NOON.plusSeconds(1));
        Job job = life.job();
        journal.commit(life.facts(), List.of(job));
        var point = new MetricSeries.Point(1, 0.5, 1_000, 0.25);
        MetricSeries loss = MetricSeries.empty("loss").with(point);
        MetricSeries speed = MetricSeries.empty("a <b>speed</b>").with(point);
        journal.keep(job.id(), List.of(loss, speed));
        MetricSeries more = loss.with(new MetricSeries.Point(2, 1, 2_000, 0.125));
        journal.keep(job.id(), List.of(more));
        assertEquals(List.of(speed, more), journal.metrics(job.id()));
        journal.delete(List.of(job.id()));
        assertEquals(List.of(), journal.metrics(job.id()));
        journal.keep(job.id(), List.of(loss));
        assertEquals(List.of(), journal.metrics(job.id()));
    }
}
