package fairlead.server.portal;

import fairlead.api.ErrorCode;
import fairlead.server.http.Call;
import fairlead.server.http.PlainFacade;
import fairlead.server.http.Problem;
import fairlead.server.http.Refusal;
import fairlead.server.http.Route;
import fairlead.server.http.Visitors;

import io.helidon.http.HeaderNames;

import java.util.List;
import java.util.Set;

/**
 * The portal's page and its files. They are the same for everyone and say nothing about anybody's
 * jobs, so a stranger may load them, and sees the login. One page is all pages: which of them is
 * shown is up to its script.
 */
public final class PortalFacade extends PlainFacade {
    private static final String PAGE = "index.html";

    /**
     * Only our own scripts, none inside the page and none made of a text. The terminal makes the
     * styles of its colours itself, which harm nobody.
     */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src"
                    + " 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'";

    private static final String NONE =
            "this build has no portal, because it was made without Node.js: install Node.js 20 or"
                    + " newer with npm and build again";

    private final Visitors visitors;
    private final PortalFiles files = new PortalFiles();
    private final List<Route<Call>> routes =
            List.of(
                    new Route<>("GET", "/", Route.Door.OPEN, Set.of(), this::home),
                    new Route<>("GET", "/portal", Route.Door.OPEN, Set.of(), this::home),
                    new Route<>("GET", "/portal/", Route.Door.OPEN, Set.of(), this::page),
                    new Route<>(
                            "GET", "/portal/assets/{file}", Route.Door.OPEN, Set.of(), this::file),
                    new Route<>("GET", "/portal/{+page}", Route.Door.OPEN, Set.of(), this::page));

    public PortalFacade(Visitors visitors) {
        this.visitors = visitors;
    }

    private void home(Call call) {
        call.header(HeaderNames.LOCATION_NAME, "/portal/");
        call.sendNothing(302);
    }

    private void page(Call call) {
        if (!files.isThere()) throw new Problem(ErrorCode.NOT_FOUND, NONE);
        call.header("Content-Security-Policy", POLICY);
        call.header("Referrer-Policy", "no-referrer");
        call.header("X-Frame-Options", "DENY");
        call.header(HeaderNames.CACHE_CONTROL_NAME, "no-cache");
        send(call, PAGE, "text/html; charset=utf-8");
    }

    private void file(Call call) {
        String name = "assets/" + call.inPath("file").orElseThrow();
        call.header(HeaderNames.CACHE_CONTROL_NAME, "public, max-age=31536000, immutable");
        send(call, name, type(name));
    }

    private void send(Call call, String name, String type) {
        byte[] small =
                files.compressed(name)
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                ErrorCode.NOT_FOUND,
                                                "no such file: %.100s".formatted(name)));
        boolean takesGzip =
                call.request()
                        .headers()
                        .first(HeaderNames.ACCEPT_ENCODING)
                        .filter(all -> all.contains("gzip"))
                        .isPresent();
        call.header("X-Content-Type-Options", "nosniff");
        call.header(HeaderNames.VARY_NAME, "Accept-Encoding");
        if (takesGzip) call.header(HeaderNames.CONTENT_ENCODING_NAME, "gzip");
        call.send(type, takesGzip ? small : PortalFiles.plain(small));
    }

    private static String type(String name) {
        String end = name.substring(name.lastIndexOf('.') + 1);
        return switch (end) {
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> "application/octet-stream";
        };
    }

    @Override
    public List<Route<Call>> routes() {
        return routes;
    }

    /** Whatever else is asked of these paths, such as a POST, is for nobody. */
    @Override
    public List<String> patternsOfUnknown() {
        return List.of("/portal/{+rest}");
    }

    @Override
    public void enter(Route<Call> route, Call call) {
        requireOwnName(call, visitors);
    }

    @Override
    public Refusal unknown(Call call) {
        return new Problem(ErrorCode.WRONG_METHOD, "only GET is possible here");
    }
}
