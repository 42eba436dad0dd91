package fairlead.server.openpai;

import static fairlead.server.openpai.PaiRoutes.guests;
import static fairlead.server.openpai.PaiRoutes.judged;
import static fairlead.server.openpai.PaiRoutes.of;

import fairlead.control.Controller;
import fairlead.engine.Engine;
import fairlead.server.admission.Admission;
import fairlead.server.http.Route;
import fairlead.server.runtime.NotifyingJournal;
import fairlead.server.runtime.Questions;
import fairlead.server.runtime.Retention;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What the routes of jobs stand on.
 *
 * @param engines by cluster
 * @param isHere whether the tasks of a cluster run on this machine
 * @param url where the server is, asked only once it listens
 */
public record JobParts(
        NotifyingJournal journal,
        Map<String, Engine> engines,
        Predicate<String> isHere,
        SshKeys keys,
        Removals removals,
        FinishedRows finished,
        Admission admission,
        Supplier<String> url) {
    /**
     * @param folder for what must outlive a restart
     * @param bug called with what must not happen
     */
    public static JobParts over(
            NotifyingJournal journal,
            Map<String, Engine> engines,
            Retention retention,
            Predicate<String> isHere,
            SshKeys keys,
            Path folder,
            Admission admission,
            Supplier<String> url,
            Consumer<Throwable> bug) {
        var removals = new Removals(folder.resolve("deleted"), journal, retention, bug);
        var finished = new FinishedRows(journal);
        journal.listen(finished, removals);
        return new JobParts(journal, engines, isHere, keys, removals, finished, admission, url);
    }

    public void start() {
        removals.start();
    }

    public void stop(Duration patience) throws InterruptedException {
        removals.stop(patience);
    }

    /** Each under a user's name, and for legacy jobs without one (O69). */
    static List<Route<PaiCall>> routes(Controller controller, Questions questions, JobParts parts) {
        var jobs = new Jobs(controller, parts.journal());
        var lists = new JobListRoutes(controller, parts.finished());
        var addresses = new Addresses(parts.isHere());
        var reads = new JobReadRoutes(jobs, addresses, parts.url());
        var changes = new JobChangeRoutes(jobs, questions, parts.removals());
        var ssh = new SshRoutes(jobs, addresses, parts.keys(), parts.url(), parts.engines());
        var submits = new JobSubmitRoutes(jobs, parts.admission(), parts.engines());
        var routes = new ArrayList<Route<PaiCall>>();
        routes.add(guests("/jobs", lists::all));
        routes.add(guests("/user/{user}/jobs", lists::ofUser));
        for (String before : List.of("/user/{user}", "")) {
            String all = before + "/jobs";
            String one = all + "/{job}";
            routes.add(of("POST", all, submits::post));
            routes.add(guests(one, reads::show));
            routes.add(of("PUT", one, submits::put));
            routes.add(of("DELETE", one, changes::delete));
            routes.add(
                    judged(
                            "PUT",
                            one + "/executionType",
                            changes::checkExecutionType,
                            changes::setExecutionType));
            routes.add(of("GET", one + "/config", reads::config));
            routes.add(guests(one + "/ssh", ssh::show));
            routes.add(of("GET", one + "/ssh/keyFiles/{file}", ssh::keyFile));
        }
        return routes;
    }
}
