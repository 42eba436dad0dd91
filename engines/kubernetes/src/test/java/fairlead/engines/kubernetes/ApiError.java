package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** An answer of an API server that is not a success, as its Status object tells it. */
final class ApiError extends Exception {
    private static final long serialVersionUID = 1L;
    private final int code;
    private final String reason;

    ApiError(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
    }

    static ApiError notFound(ApiCall call) {
        String what = call.plural() + (call.group().isEmpty() ? "" : "." + call.group());
        return new ApiError(404, "NotFound", what + " \"" + call.name() + "\" not found");
    }

    static ApiError invalid(String kind, String name, String cause) {
        return new ApiError(422, "Invalid", kind + " \"" + name + "\" is invalid: " + cause);
    }

    static ApiError badRequest(String message) {
        return new ApiError(400, "BadRequest", message);
    }

    int code() {
        return code;
    }

    /** The Status object. */
    String body() {
        return status(code, reason, getMessage());
    }

    static String status(int code, String reason, String message) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("message", message)
                .put("reason", reason)
                .put("code", code)
                .toString();
    }
}
