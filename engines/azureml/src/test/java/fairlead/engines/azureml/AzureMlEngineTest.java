package fairlead.engines.azureml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.engine.Engine;
import fairlead.engine.EngineContract;
import fairlead.engine.EngineException;
import fairlead.engine.TaskLog;
import fairlead.job.AttemptId;
import fairlead.job.JobSpec;
import fairlead.testing.Eventually;
import fairlead.testing.Root;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** The contract on a service that takes only what Azure's specification allows. */
class AzureMlEngineTest extends EngineContract {
    @TempDir static Path place;
    private static TestService service;

    @TempDir Path home;
    @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException {
        service = TestService.start(place);
    }

    @AfterAll
    static void close() {
        service.close();
    }

    @AfterEach
    void everyCallWasAllowed() {
        assertEquals(List.of(), service.mistakes);
    }

    @Override
    protected Engine open() throws EngineException {
        return AzureMlEngine.open(service.settings(home), new TestTokens());
    }

    @Override
    protected String workingFolder() {
        return folder.toString();
    }

    /** A datastore, as jobs there can mount nothing else. */
    @Override
    protected String folderToMount() {
        try {
            service.store(folder);
            return "/" + TestService.STORE;
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    @Override
    protected void assumeMounts(JobSpec spec) {
        Root.neededToMount();
        super.assumeMounts(spec);
    }

    @Override
    protected void awaitWritten(AttemptId attempt, TaskLog log, long bytes) throws Exception {
        String name = attempt.job() + "-" + attempt.number();
        Eventually.when(attempt + " has ended", () -> service.job(name).isEnded());
    }
}
