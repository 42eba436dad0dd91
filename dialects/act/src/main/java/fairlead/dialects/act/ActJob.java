package fairlead.dialects.act;

import fairlead.api.json.BadBody;
import fairlead.api.json.StrictReader;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the program on the node must know about an ACT job besides its command. It holds no secret:
 * a spec shows it.
 *
 * @param config the name of the config file
 * @param gpus of all nodes together; 0 for a job without GPU
 * @param mpi whether the processes are started as ranks of MPI
 * @param folders by their name in the code's folder
 * @param philly whether it was submitted by Philly's command, whose compile script goes first
 */
public record ActJob(
        String config,
        int gpus,
        int nodes,
        int processesPerNode,
        boolean mpi,
        Place code,
        Map<String, Place> folders,
        String compileArgs,
        boolean sleepIfFail,
        boolean sleepIfSucceed,
        boolean philly) {

    /** The variables with signatures are this and a number. */
    public static final String SAS_VARIABLE = "FAIRLEAD_ACT_SAS_";

    public ActJob {
        folders = Collections.unmodifiableMap(new LinkedHashMap<>(folders));
        if (gpus < 0) throw new IllegalArgumentException("gpus is negative: " + gpus);
        if (nodes < 1) throw new IllegalArgumentException("nodes is not positive: " + nodes);
        if (processesPerNode < 1) {
            throw new IllegalArgumentException("processesPerNode is " + processesPerNode);
        }
    }

    /** One of ACT. */
    public ActJob(
            String config,
            int gpus,
            int nodes,
            int processesPerNode,
            boolean mpi,
            Place code,
            Map<String, Place> folders,
            String compileArgs,
            boolean sleepIfFail,
            boolean sleepIfSucceed) {
        this(
                config,
                gpus,
                nodes,
                processesPerNode,
                mpi,
                code,
                folders,
                compileArgs,
                sleepIfFail,
                sleepIfSucceed,
                false);
    }

    /** Of its code and of its folders. */
    public List<Place> places() {
        var places = new ArrayList<>(List.of(code));
        places.addAll(folders.values());
        return places;
    }

    public String toJson() {
        var json = new JsonText();
        json.text("config", config);
        json.plain("gpus", gpus);
        json.plain("nodes", nodes);
        json.plain("processesPerNode", processesPerNode);
        json.plain("mpi", mpi);
        place(json, "code", code);
        json.begin("folders");
        folders.forEach((name, place) -> place(json, name, place));
        json.end();
        json.text("compileArgs", compileArgs);
        json.plain("sleepIfFail", sleepIfFail);
        json.plain("sleepIfSucceed", sleepIfSucceed);
        // A server that does not know it still takes the jobs of ACT.
        if (philly) json.plain("philly", true);
        return json.done();
    }

    private static void place(JsonText json, String name, Place place) {
        json.begin(name);
        switch (place) {
            case Place.File(var path, _, var store) -> {
                json.text("kind", "file");
                json.text("path", path);
                if (!store.isEmpty()) json.text("store", store);
            }
            case Place.Blob(var url, var sas, _) -> {
                json.text("kind", "blob");
                json.text("url", url);
                json.text("sas", sas);
            }
        }
        if (!place.fuse().isEmpty()) json.text("fuse", place.fuse());
        json.end();
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws BadBody where it is anything else, with its field
     */
    public static ActJob fromJson(String text) {
        return new ActJobReader(new StrictReader(text)).read();
    }
}
