package fairlead.engines.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.mockwebserver.crud.Attribute;
import io.fabric8.mockwebserver.crud.AttributeSet;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.zjsonpatch.JsonPatch;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * fabric8's mock API server in CRUD mode, with the manners of a real one where it lacks them:
 * deletion with a grace and with finalizers, the status as a subresource, checks of names and
 * namespaces, versions that conflict, and a history for watches, which {@link ApiFront} serves.
 *
 * <p>It differs from a real one in these ways: no strategic merge patch, no server-side apply and
 * no set-based selectors (each is refused, not ignored), no pages, no access rules. One lock guards
 * everything.
 */
final class MockApi extends KubernetesCrudDispatcher {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> ROOTS = List.of("version", "readyz", "livez", "healthz", "");
    private static final List<String> CLUSTER_WIDE =
            List.of("namespaces", "nodes", "persistentvolumes", "storageclasses");

    private final WatchHistory history = new WatchHistory();

    /** The mock itself looks through all it has for each name. */
    private final Map<String, AttributeSet> byPath = new HashMap<>();

    private long version = requestResourceVersion();

    WatchHistory history() {
        return history;
    }

    synchronized long version() {
        return version;
    }

    @Override
    public synchronized MockResponse dispatch(RecordedRequest request) {
        ApiCall call = ApiCall.of(request.getMethod(), request.getPath());
        try {
            String body = request.getBody() == null ? "" : request.getBody().readUtf8();
            String type = Optional.ofNullable(request.getHeader("Content-Type")).orElse("");
            return switch (call.verb()) {
                case "get", "list", "watch" -> read(request.getPath(), call);
                case "create" -> answer(201, create(call, object(body)).toString());
                case "update" -> answer(200, change(call, object(body)).toString());
                case "patch" -> answer(200, patch(call, type, body).toString());
                case "delete" -> answer(200, delete(call, body));
                default -> throw new ApiError(405, "MethodNotAllowed", "not here: " + call.verb());
            };
        } catch (ApiError e) {
            return answer(e.code(), e.body());
        }
    }

    private static MockResponse answer(int code, String body) {
        return new MockResponse()
                .setResponseCode(code)
                .setHeader("Content-Type", "application/json")
                .setBody(body);
    }

    private static ObjectNode object(String json) throws ApiError {
        try {
            if (JSON.readTree(json) instanceof ObjectNode object) return object;
            throw ApiError.badRequest("the body of the request is not an object");
        } catch (JsonProcessingException e) {
            throw ApiError.badRequest("the body of the request cannot be read: " + e.getMessage());
        }
    }

    private MockResponse read(String target, ApiCall call) throws ApiError {
        if (ROOTS.contains(target.substring(1))) {
            return answer(200, "{\"major\":\"1\",\"minor\":\"32\",\"gitVersion\":\"v1.32.0\"}");
        }
        selection(call);
        if (call.name().isEmpty()) return handleGet(target);
        return answer(200, find(call).getValue());
    }

    /** What a list or a watch selects. Refuses selectors that the mock would pass over. */
    private AttributeSet selection(ApiCall call) throws ApiError {
        String selectors = call.parameter("labelSelector") + "," + call.parameter("fieldSelector");
        for (String each : selectors.split(",")) {
            if (each.matches("(!?[\\w./-]+(==?|!=)[\\w.-]+)|!?[\\w./-]*")) continue;
            throw ApiError.badRequest("this mock does not understand the selector " + each);
        }
        return getKey(call.path() + (call.query().isEmpty() ? "" : "?" + call.query()));
    }

    private Map.Entry<AttributeSet, String> find(ApiCall call) throws ApiError {
        AttributeSet key = byPath.get(call.path());
        if (key == null) throw ApiError.notFound(call);
        return Map.entry(key, map.get(key));
    }

    private ObjectNode create(ApiCall call, ObjectNode object) throws ApiError {
        if (call.plural().equals("bindings")) return bind(call, object);
        if (object.path("kind").asText("").isEmpty()) {
            throw ApiError.badRequest("Object 'Kind' is missing in '" + object + "'");
        }
        var metadata = object.withObject("metadata");
        String name = ObjectRules.name(object);
        ApiCall itself = call.named(call.namespace(), name);
        if (!call.namespace().isEmpty()) checkNamespace(call, metadata);
        if (call.namespace().isEmpty() && !CLUSTER_WIDE.contains(call.plural())) {
            throw new ApiError(
                    405, "MethodNotAllowed", "the server does not allow this method here");
        }
        ObjectRules.check(call, object, name);
        if (byPath.containsKey(itself.path())) {
            throw new ApiError(
                    409, "AlreadyExists", call.plural() + " \"" + name + "\" already exists");
        }
        JsonNode namespace = JSON.createObjectNode();
        if (call.plural().equals("pods")) {
            namespace = object(find(ofNamespace(call.namespace())).getValue());
            TestAdmission.mutate(namespace, object);
        }
        ObjectRules.addDefaults(call, object);
        if (call.plural().equals("pods")) {
            TestAdmission.check(
                    namespace,
                    object,
                    all(call.namespace(), "resourcequotas"),
                    all(call.namespace(), "pods"));
        }
        ObjectRules.encode(object);
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put("creationTimestamp", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        store(itself, null, object);
        return object;
    }

    private void checkNamespace(ApiCall call, ObjectNode metadata) throws ApiError {
        String own = metadata.path("namespace").asText(call.namespace());
        if (!own.equals(call.namespace())) {
            throw ApiError.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
        metadata.put("namespace", own);
        var namespace = object(find(ofNamespace(own)).getValue());
        if (namespace.path("metadata").has("deletionTimestamp")) {
            throw new ApiError(
                    403,
                    "Forbidden",
                    call.plural()
                            + " \""
                            + metadata.path("name").asText()
                            + "\" is forbidden: unable to create new content in namespace "
                            + own
                            + " because it is being terminated");
        }
    }

    private static ApiCall ofNamespace(String name) {
        return ApiCall.of("GET", "/api/v1/namespaces/" + name);
    }

    private List<ObjectNode> all(String namespace, String plural) throws ApiError {
        String folder = "/api/v1/namespaces/" + namespace + "/" + plural + "/";
        var found = new ArrayList<ObjectNode>();
        for (var each : byPath.entrySet()) {
            if (each.getKey().startsWith(folder)) found.add(object(map.get(each.getValue())));
        }
        return found;
    }

    /** As the scheduler places a pod. */
    private ObjectNode bind(ApiCall call, ObjectNode binding) throws ApiError {
        String name = binding.path("metadata").path("name").asText();
        var pods = ApiCall.of("GET", "/api/v1/namespaces/" + call.namespace() + "/pods/" + name);
        var found = find(pods);
        ObjectNode pod = object(found.getValue());
        if (!pod.path("spec").path("nodeName").asText("").isEmpty()) {
            throw new ApiError(409, "Conflict", "pod " + name + " is already assigned to a node");
        }
        String node = binding.path("target").path("name").asText();
        pod.withObject("spec").put("nodeName", node);
        var condition = pod.withObject("status").withArray("conditions");
        condition.removeAll();
        condition.addObject().put("type", "PodScheduled").put("status", "True");
        store(pods, found.getKey(), pod);
        return binding;
    }

    private ObjectNode patch(ApiCall call, String type, String body) throws ApiError {
        ObjectNode before = object(find(call).getValue());
        try {
            JsonNode patch = JSON.readTree(body);
            if (type.startsWith("application/json-patch+json")) {
                if (!(JsonPatch.apply(patch, before.deepCopy()) instanceof ObjectNode patched)) {
                    throw ApiError.badRequest("the patch leaves no object");
                }
                return change(call, patched);
            }
            if (type.startsWith("application/merge-patch+json")) {
                return change(call, (ObjectNode) merge(before.deepCopy(), patch));
            }
        } catch (JsonProcessingException | io.fabric8.zjsonpatch.JsonPatchException e) {
            throw new ApiError(
                    422, "Invalid", "the server rejected our request: " + e.getMessage());
        }
        throw new ApiError(415, "UnsupportedMediaType", "this mock does not take " + type);
    }

    /** RFC 7386: null removes, objects merge, all else replaces. */
    private static JsonNode merge(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) return patch;
        ObjectNode result = target instanceof ObjectNode object ? object : JSON.createObjectNode();
        for (var each : patch.properties()) {
            if (each.getValue().isNull()) result.remove(each.getKey());
            else result.set(each.getKey(), merge(result.path(each.getKey()), each.getValue()));
        }
        return result;
    }

    private ObjectNode change(ApiCall call, ObjectNode wanted) throws ApiError {
        var found = find(call);
        ObjectNode before = object(found.getValue());
        var had = before.path("metadata");
        String based = wanted.path("metadata").path("resourceVersion").asText("");
        String uid = wanted.path("metadata").path("uid").asText("");
        if ((!based.isEmpty() && !based.equals(had.path("resourceVersion").asText()))
                || (!uid.isEmpty() && !uid.equals(had.path("uid").asText()))) {
            throw new ApiError(
                    409,
                    "Conflict",
                    "Operation cannot be fulfilled on "
                            + call.plural()
                            + " \""
                            + call.name()
                            + "\": the object has been modified; please apply your changes to the"
                            + " latest version and try again");
        }
        ObjectNode after;
        if (call.subresource().equals("status")) {
            after = before.deepCopy();
            after.set("status", wanted.path("status"));
        } else {
            after = wanted;
            if (ObjectRules.hasStatus(call)) after.set("status", before.path("status"));
            ObjectRules.check(call, after, call.name());
            ObjectRules.checkUpdate(before, after);
            ObjectRules.encode(after);
        }
        var metadata = after.withObject("metadata");
        for (String kept :
                List.of(
                        "uid",
                        "name",
                        "namespace",
                        "creationTimestamp",
                        "resourceVersion",
                        "deletionTimestamp",
                        "deletionGracePeriodSeconds")) {
            if (had.has(kept)) metadata.set(kept, had.get(kept));
            else metadata.remove(kept);
        }
        if (after.equals(before)) return before;
        if (mayGo(after)) store(call, found.getKey(), null);
        else store(call, found.getKey(), after);
        return after;
    }

    /** Deleted, its grace over, and nobody holds it. */
    private static boolean mayGo(ObjectNode object) {
        var metadata = object.path("metadata");
        return metadata.has("deletionTimestamp")
                && metadata.path("deletionGracePeriodSeconds").asInt(0) == 0
                && metadata.path("finalizers").isEmpty();
    }

    private String delete(ApiCall call, String body) throws ApiError {
        ObjectNode options = body.isBlank() ? JSON.createObjectNode() : object(body);
        var found = find(call);
        ObjectNode object = object(found.getValue());
        var metadata = object.withObject("metadata");
        for (String each : List.of("uid", "resourceVersion")) {
            String wanted = options.path("preconditions").path(each).asText("");
            if (wanted.isEmpty() || wanted.equals(metadata.path(each).asText())) continue;
            throw new ApiError(
                    409,
                    "Conflict",
                    "Precondition failed: " + each + " in precondition: " + wanted);
        }
        String inQuery = call.parameter("gracePeriodSeconds");
        if (!inQuery.isEmpty()) options.put("gracePeriodSeconds", Long.parseLong(inQuery));
        long grace = grace(call, object, options);
        boolean again = metadata.has("deletionTimestamp");
        long had = metadata.path("deletionGracePeriodSeconds").asLong(0);
        if (again && (!options.has("gracePeriodSeconds") || grace >= had)) {
            return object.toString();
        }
        // A repeat counts from the first call, so it can only shorten.
        Instant asked =
                again
                        ? Instant.parse(metadata.path("deletionTimestamp").asText())
                                .minusSeconds(had)
                        : Instant.now().truncatedTo(ChronoUnit.SECONDS);
        metadata.put("deletionTimestamp", asked.plusSeconds(grace).toString());
        metadata.put("deletionGracePeriodSeconds", grace);
        if (call.plural().equals("namespaces")) {
            object.withObject("status").put("phase", "Terminating");
            metadata.put("deletionGracePeriodSeconds", 1);
            store(call, found.getKey(), object);
        } else if (mayGo(object)) {
            store(call, found.getKey(), null);
        } else {
            store(call, found.getKey(), object);
        }
        return object.toString();
    }

    /** Only a pod that a kubelet may be running gets time to end. */
    private static long grace(ApiCall call, ObjectNode object, ObjectNode options) {
        if (!call.plural().equals("pods")) return 0;
        var spec = object.path("spec");
        String phase = object.path("status").path("phase").asText();
        if (spec.path("nodeName").asText("").isEmpty()) return 0;
        if (phase.equals("Succeeded") || phase.equals("Failed")) return 0;
        long own = spec.path("terminationGracePeriodSeconds").asLong(30);
        return Math.max(0, options.path("gracePeriodSeconds").asLong(own));
    }

    /** The one place where objects change. Null: it is gone. */
    private void store(ApiCall call, AttributeSet before, ObjectNode object) throws ApiError {
        version = requestResourceVersion();
        String had = before == null ? null : map.remove(before);
        if (object == null) {
            byPath.remove(call.path());
            ObjectNode last = object(had);
            last.withObject("metadata").put("resourceVersion", Long.toString(version));
            history.add(
                    new WatchHistory.Change(version, call.path(), before, null, last.toString()));
            return;
        }
        object.withObject("metadata").put("resourceVersion", Long.toString(version));
        String json = object.toString();
        String phase = object.path("status").path("phase").asText("");
        String node = object.path("spec").path("nodeName").asText("");
        AttributeSet after =
                AttributeSet.merge(getKey(call.path()), attributeExtractor.fromResource(json))
                        .add(new Attribute("status.phase", phase))
                        .add(new Attribute("spec.nodeName", node));
        map.put(after, json);
        byPath.put(call.path(), after);
        history.add(new WatchHistory.Change(version, call.path(), before, after, json));
    }

    /** What a watch without a version begins with, and the version that it has then seen. */
    record Start(AttributeSet selection, List<String> objects, long version) {}

    synchronized Start watch(ApiCall call) throws ApiError {
        AttributeSet selection = selection(call);
        var objects = new ArrayList<String>();
        map.forEach(
                (attributes, json) -> {
                    if (attributes.matches(selection)) objects.add(json);
                });
        return new Start(selection, objects, version);
    }

    /** A pod as it is now. */
    synchronized ObjectNode pod(String namespace, String name) throws ApiError {
        String path = "/api/v1/namespaces/" + namespace + "/pods/" + name;
        return object(find(ApiCall.of("GET", path)).getValue());
    }

    /** As a controller does it: by the same rules as everyone. */
    synchronized void deleteAs(ApiCall call, String options) throws ApiError {
        delete(call, options);
    }

    /** Ends a namespace that is empty by now. */
    synchronized void endNamespace(ApiCall call) throws ApiError {
        store(call, find(call).getKey(), null);
    }

    /** Writes a status as a controller does. */
    synchronized void status(ApiCall call, ObjectNode status) throws ApiError {
        ObjectNode object = object(find(call).getValue());
        object.set("status", status);
        change(ApiCall.of("PUT", call.path() + "/status"), object);
    }

    synchronized void bindAs(String namespace, String pod, String node) throws ApiError {
        ObjectNode binding = JSON.createObjectNode();
        binding.withObject("metadata").put("name", pod);
        binding.withObject("target").put("name", node);
        bind(ApiCall.of("POST", "/api/v1/namespaces/" + namespace + "/bindings"), binding);
    }
}
