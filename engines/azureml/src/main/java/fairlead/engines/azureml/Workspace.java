package fairlead.engines.azureml;

import fairlead.engines.azureml.rest.Answer;
import fairlead.engines.azureml.rest.Doc;
import fairlead.engines.azureml.rest.Rest;
import fairlead.engines.azureml.rest.ServiceException;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The calls that we make to one workspace of Azure ML: its management and its run history. */
final class Workspace implements AutoCloseable {
    private static final String VERSION = "?api-version=2024-10-01";

    private static final int RANGE_NOT_THERE = 416;

    private final URI management;
    private final String subscription;
    private final String path;
    private final Rest rest;

    /** Where run history is; null before somebody has asked. */
    private volatile String history;

    Workspace(AzureMlSettings settings, Rest rest) {
        this.management = settings.management();
        this.subscription = settings.subscription();
        this.path = settings.path();
        this.rest = rest;
    }

    Rest rest() {
        return rest;
    }

    String path() {
        return path;
    }

    private URI address(String rest) {
        return URI.create(management + path + rest);
    }

    /** Makes the job, or finds that it is there already. */
    Doc putJob(String name, Map<String, Object> properties) throws ServiceException {
        var body = Map.of("properties", properties);
        return rest.call("PUT", address("/jobs/" + name + VERSION), body).doc();
    }

    Doc job(String name) throws ServiceException {
        return rest.call("GET", address("/jobs/" + name + VERSION), null).doc();
    }

    /** Where the list of jobs with a tag begins, newest first. */
    URI jobs(String tag) {
        return address("/jobs" + VERSION + "&jobType=Command&listViewType=ActiveOnly&tag=" + tag);
    }

    /** A page of a list, which has the address of the next. */
    Doc page(URI address) throws ServiceException {
        return rest.call("GET", address, null).doc();
    }

    /** Asks for a stop; one that has ended or was never there is fine. */
    void cancel(String name) throws ServiceException {
        try {
            rest.call("POST", address("/jobs/" + name + "/cancel" + VERSION), null);
        } catch (ServiceException refused) {
            boolean isOver = refused.code().endsWith("InTerminalStatus");
            if (!isOver && !refused.isMissing()) throw refused;
        }
    }

    /** An environment that is an image and nothing else. Answers its id. */
    String putImage(String name, String image) throws ServiceException {
        String place = "/environments/" + name + "/versions/1";
        var body = Map.of("properties", Map.of("image", image));
        rest.call("PUT", address(place + VERSION), body);
        return path + place;
    }

    boolean hasDatastore(String name) throws ServiceException {
        try {
            rest.call("GET", address("/datastores/" + name + VERSION), null);
            return true;
        } catch (ServiceException refused) {
            if (refused.isMissing()) return false;
            throw refused;
        }
    }

    Doc compute(String name) throws ServiceException {
        return rest.call("GET", address("/computes/" + name + VERSION), null).doc();
    }

    List<Doc> machineSizes(String location) throws ServiceException {
        String place =
                "/subscriptions/%s/providers/Microsoft.MachineLearningServices/locations/%s/vmSizes"
                        .formatted(subscription, location);
        return rest.call("GET", URI.create(management + place + VERSION), null)
                .doc()
                .at("value")
                .list();
    }

    /** Times, errors and why it waits. */
    Doc run(String name) throws ServiceException {
        return rest.call("GET", URI.create(history() + "/runs/" + name), null).doc();
    }

    /** The addresses of its log files, by their names. They hold for hours. */
    Map<String, URI> logFiles(String name) throws ServiceException {
        URI place = URI.create(history() + "/runs/" + name + "/details");
        var files = new TreeMap<String, URI>();
        rest.call("GET", place, null)
                .doc()
                .at("logFiles")
                .map()
                .forEach((file, at) -> files.put((String) file, URI.create((String) at)));
        return files;
    }

    /** At most so many bytes of a file from an offset on; none when there are no more yet. */
    byte[] read(URI file, long offset, int bytesMax) throws ServiceException {
        String range = "bytes=%d-%d".formatted(offset, offset + bytesMax - 1);
        try {
            Answer answer = rest.open(file, Map.of("Range", range));
            byte[] bytes = answer.bytes();
            // A whole file instead of a part of it.
            boolean isWhole = answer.status() == 200;
            int skip = isWhole ? (int) Math.min(offset, bytes.length) : 0;
            int end = Math.min(bytes.length, skip + bytesMax);
            return Arrays.copyOfRange(bytes, skip, end);
        } catch (ServiceException refused) {
            if (refused.status() == RANGE_NOT_THERE) return new byte[0];
            throw refused;
        }
    }

    private String history() throws ServiceException {
        String known = history;
        if (known != null) return known;
        Doc workspace = rest.call("GET", address(VERSION), null).doc();
        String discovery = workspace.at("properties", "discoveryUrl").text();
        Doc services = rest.open(URI.create(discovery), Map.of()).doc();
        String found = services.at("api").text() + "/history/v1.0" + path;
        history = found;
        return found;
    }

    @Override
    public void close() {
        rest.close();
    }
}
