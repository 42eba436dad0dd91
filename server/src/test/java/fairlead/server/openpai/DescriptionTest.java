package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;
import fairlead.server.http.Route;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** The served description of OpenPAI's interface says what the routes and the codes are. */
final class DescriptionTest {
    @TempDir Path folder;

    @Test
    void everyRouteAndEveryCodeIsDescribed() throws Exception {
        var described = new TreeSet<String>();
        Map<String, Object> document;
        try (var server = new TestServer(folder)) {
            document = Pai.guest(server).must(200, "GET", "/openapi.json", null);
        }
        JsonTree.object(document.get("paths"))
                .forEach(
                        (path, operations) ->
                                JsonTree.object(operations)
                                        .forEach(
                                                (method, operation) ->
                                                        described.add(
                                                                line(
                                                                        method.toUpperCase(
                                                                                Locale.ROOT),
                                                                        path,
                                                                        isOpen(operation)))));
        var routed = new TreeSet<String>();
        for (Route<PaiCall> route :
                new OpenPai(null, null, null, null, null, null, null, Pai.NO_JOBS).routes()) {
            if (route.method().equals("OPTIONS")) continue;
            // No description has a word for every verb.
            String method = route.method().equals("*") ? "GET" : route.method();
            String path = route.path().isEmpty() ? "/" : route.path();
            routed.add(line(method, path, route.door() != Route.Door.PEOPLE));
        }
        assertEquals(String.join("\n", routed), String.join("\n", described));
        var schemas = JsonTree.object(JsonTree.object(document.get("components")).get("schemas"));
        Object code =
                JsonTree.object(JsonTree.object(schemas.get("Error")).get("properties"))
                        .get("code");
        var codes = new TreeSet<Object>();
        for (PaiCode each : PaiCode.values()) codes.add(each.word());
        assertEquals(codes, new TreeSet<>((List<?>) JsonTree.object(code).get("enum")));
    }

    private static String line(String method, String path, boolean open) {
        return method + " " + path + (open ? " open" : "");
    }

    private static boolean isOpen(Object operation) {
        return List.of().equals(JsonTree.object(operation).get("security"));
    }
}
