package fairlead.server.routes;

import fairlead.api.clusters.ClusterRequest;
import fairlead.api.submit.FileForm;
import fairlead.api.submit.ScriptForm;
import fairlead.control.Controller;
import fairlead.control.Inbox;
import fairlead.control.Interpreter;
import fairlead.control.Refused;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.journals.sqlite.JournalCare;
import fairlead.server.bodies.JobBodies;
import fairlead.server.http.Streams;
import fairlead.server.launch.LaunchedJobs;
import fairlead.server.launch.WorkingFolders;
import fairlead.server.runtime.Explanations;
import fairlead.server.runtime.Facts;
import fairlead.server.runtime.GpuUseHistory;
import fairlead.server.runtime.Loop;
import fairlead.server.runtime.Measurements;
import fairlead.server.runtime.Retention;
import fairlead.server.sessions.ExecSessions;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the interface stands on.
 *
 * @param engines by cluster
 * @param journalBytes how large the journal is on disk
 * @param add makes clusters
 * @param stop begins a graceful stop and returns at once
 * @param trouble why jobs cannot be submitted or run now; empty when all is well
 */
public record Parts(
        Controller controller,
        Inbox inbox,
        Journal journal,
        Map<String, Engine> engines,
        Interpreter interpreter,
        Explanations explanations,
        Facts facts,
        Loop loop,
        Retention retention,
        Measurements measurements,
        GpuUseHistory gpuUse,
        Streams streams,
        ExecSessions execs,
        LaunchedJobs launched,
        JobBodies bodies,
        Forms forms,
        Supplier<Instant> clock,
        About about,
        LongSupplier journalBytes,
        Backup backup,
        JournalCare care,
        AddCluster add,
        Runnable stop,
        Supplier<Optional<String>> trouble) {

    /**
     * What a server says about itself.
     *
     * @param folders the working folders of specs that name none
     * @param certificate how other machines know it, where it encrypts; asked once it listens
     * @param clusters as they are now; the first is that of jobs that name none
     */
    public record About(
            String version,
            Path home,
            Instant started,
            String policy,
            WorkingFolders folders,
            Supplier<Optional<Encrypted>> certificate,
            Supplier<List<Place>> clusters) {}

    /** How jobs are read that are not posted as specs. */
    public record Forms(FileForm files, ScriptForm scripts) {}

    /** Where a server listens with a certificate. */
    public record Encrypted(String address, String fingerprint) {}

    /**
     * A cluster.
     *
     * @param engine the word for what runs its jobs
     */
    public record Place(String name, String engine, Optional<String> namespace) {}

    /** Makes clusters while the server runs. */
    @FunctionalInterface
    public interface AddCluster {
        /**
         * The name of the cluster that is as the request asks. A repeat is fine.
         *
         * @param mayMake whether one that is not there yet may be made
         */
        String add(ClusterRequest request, boolean mayMake)
                throws EngineException, JournalException, Refused, InterruptedException;
    }

    /** Writes a copy of the journal to a path that does not exist yet. */
    @FunctionalInterface
    public interface Backup {
        void to(Path file) throws JournalException;
    }
}
