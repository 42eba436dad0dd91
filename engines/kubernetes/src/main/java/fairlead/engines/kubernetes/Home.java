package fairlead.engines.kubernetes;

import fairlead.engine.EngineException;
import fairlead.engine.OwnerOnly;
import fairlead.engine.TaskLog;
import fairlead.engine.remote.AttemptFiles;
import fairlead.engine.remote.RemoteHome;
import fairlead.job.AttemptId;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The engine's folder, with the records of its attempts and the claims that were made for jobs. */
record Home(RemoteHome files) implements Closeable {
    static Home open(Path path) throws IOException, EngineException {
        return new Home(RemoteHome.open(path));
    }

    /** The value of the label {@code fairlead/server} on everything that is ours. */
    String server() {
        return files.server();
    }

    List<AttemptRecord> live() throws IOException {
        return files.live().stream().map(AttemptRecord::parse).toList();
    }

    void keep(AttemptRecord record) throws IOException {
        files.keep(record.attempt(), record.text());
    }

    AttemptFiles files(AttemptId attempt) {
        return files.files(attempt);
    }

    TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        return files.log(attempt, task);
    }

    /** The storage that was made for a job: a namespace and a name in each line. */
    List<String> claims(JobId job) throws IOException {
        try {
            return Files.readAllLines(files.folder(job).resolve("claims"));
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }

    void keepClaims(JobId job, List<String> claims) throws IOException {
        OwnerOnly.makeFolder(files.folder(job));
        OwnerOnly.replace(files.folder(job).resolve("claims"), String.join("\n", claims) + "\n");
    }

    @Override
    public void close() {
        files.close();
    }
}
