package fairlead.journals.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.JobId;
import fairlead.journal.FinishedQuery;
import fairlead.journal.JournalFixtures;
import fairlead.journals.sql.Finished;
import fairlead.journals.sql.Queries;
import fairlead.journals.sql.Rows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** However long the past is, no question walks through all of it: SQLite's own plans say so. */
class QueryPlanTest {
    @TempDir Path folder;

    @Test
    void noQuestionLooksAtEveryRow() throws Exception {
        var file = new JournalFile(folder.resolve("journal.db").toAbsolutePath());
        try (var journal = SqliteJournal.open(file.path());
                Connection connection = file.reader()) {
            assertEquals(List.of(), journal.unfinished());
            var questions =
                    new ArrayList<>(
                            List.of(
                                    Queries.unfinished(file),
                                    Queries.FIND,
                                    Queries.ENDING_WITH,
                                    Queries.NAMED,
                                    Queries.MADE_BY,
                                    Queries.HOLDER_OF,
                                    Queries.HISTORY,
                                    Queries.FINISHED_BEFORE,
                                    Queries.arrayCounts(file),
                                    Rows.UPDATE_JOB,
                                    Rows.DELETE_JOB,
                                    Rows.INSERT_SPEC,
                                    Rows.INSERT_EVENT));
            pages().map(query -> Finished.of(query, file).sql()).forEach(questions::add);
            assertEquals(13 + 32, questions.size());
            for (String question : questions) {
                for (String step : plan(connection, question)) {
                    boolean walksRows = step.startsWith("SCAN") && !step.contains("USING");
                    boolean sorts = step.contains("TEMP B-TREE");
                    // Ids that end alike are few unless the end is very short, and an array is no
                    // longer than a request: these are sorted.
                    boolean maySort =
                            question.equals(Queries.ENDING_WITH)
                                    || question.equals(Queries.arrayCounts(file));
                    assertTrue(!walksRows && (!sorts || maySort), question + ": " + step);
                }
            }
        }
    }

    private static Stream<FinishedQuery> pages() {
        Optional<JobId> before = Optional.of(JournalFixtures.job(1).id());
        return IntStream.range(0, 32)
                .mapToObj(
                        bits ->
                                new FinishedQuery(
                                        Optional.of("ann").filter(_ -> (bits & 1) > 0),
                                        Optional.of("failed").filter(_ -> (bits & 2) > 0),
                                        Optional.of("sweep").filter(_ -> (bits & 4) > 0),
                                        before.filter(_ -> (bits & 8) > 0),
                                        (bits & 16) > 0,
                                        10));
    }

    private static List<String> plan(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
            var steps = new ArrayList<String>();
            while (rows.next()) steps.add(rows.getString("detail"));
            return steps;
        }
    }
}
