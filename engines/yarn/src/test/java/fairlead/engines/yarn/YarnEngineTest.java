package fairlead.engines.yarn;

import fairlead.engine.Engine;
import fairlead.engine.EngineContract;
import fairlead.engine.EngineException;
import fairlead.engine.TaskLog;
import fairlead.engines.yarn.relay.State;
import fairlead.job.AttemptId;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The contract on real daemons of YARN and HDFS. */
class YarnEngineTest extends EngineContract {
    private static TestHadoop hadoop;

    @TempDir Path home;
    @TempDir Path folder;

    @BeforeAll
    static void start() throws Exception {
        hadoop = TestHadoop.shared();
    }

    @Override
    protected Engine open() throws EngineException {
        return YarnEngine.open(hadoop.settings(home));
    }

    @Override
    protected String workingFolder() {
        return folder.toString();
    }

    @Override
    protected void awaitWritten(AttemptId attempt, TaskLog log, long bytes) throws Exception {
        String text = AttemptRecord.parse(record(attempt)).application();
        Eventually.when(
                attempt + " has ended",
                () ->
                        new Staging(hadoop.dfs().getFileSystem(), Optional.empty(), server())
                                .state(text)
                                .map(State::allEnded)
                                .orElse(false));
    }

    private String record(AttemptId attempt) throws IOException {
        String name = attempt.job() + "." + attempt.number() + ".attempt";
        return Files.readString(home.resolve("live").resolve(name));
    }

    private String server() throws IOException {
        return Files.readString(home.resolve("id")).strip();
    }
}
