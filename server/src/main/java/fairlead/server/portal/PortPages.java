package fairlead.server.portal;

import fairlead.api.ErrorCode;
import fairlead.engine.EngineException;
import fairlead.engine.ExecSession;
import fairlead.journal.JournalException;
import fairlead.server.http.Call;
import fairlead.server.http.PlainFacade;
import fairlead.server.http.Problem;
import fairlead.server.http.Refusal;
import fairlead.server.http.Route;
import fairlead.server.http.Visitors;

import io.helidon.http.Header;
import io.helidon.webserver.http.ServerRequest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * Pages that tasks serve themselves, passed on: TensorBoard, a notebook, anything that speaks HTTP.
 * What such a page says and runs is up to the job, so the browser is told to treat it as one of no
 * site at all: it has none of our cookies and cannot call us in anybody's name. WebSockets are not
 * passed on.
 */
public final class PortPages extends PlainFacade {
    private static final String ROOT = "/ports/";

    /** Everything that a page may do but to be of our origin. */
    private static final String SANDBOX =
            "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads";

    /** What belongs to one connection, to us, or to what the sandbox does away with. */
    private static final Set<String> NOT_PASSED_ON =
            Set.of(
                    "connection",
                    "keep-alive",
                    "transfer-encoding",
                    "upgrade",
                    "te",
                    "trailer",
                    "host",
                    "content-length",
                    "cookie",
                    "set-cookie",
                    "authorization",
                    "origin",
                    "referer",
                    "accept-encoding",
                    "content-security-policy",
                    "x-frame-options",
                    "access-control-allow-origin",
                    "access-control-allow-credentials",
                    "location");

    private static final int HEAD_BYTES_MAX = 32 * 1024;
    private static final int BLOCK_BYTES = 32 * 1024;
    private static final int BODY_BYTES_MAX = 16 << 20;

    /** Each holds a connection and a thread. */
    private static final int AT_ONCE_MAX = 64;

    private final PortTickets tickets;
    private final Opener opener;
    private final Visitors visitors;
    private final Semaphore atOnce = new Semaphore(AT_ONCE_MAX);
    private final List<Route<Call>> routes =
            List.of(
                    new Route<>(
                            Route.ANY,
                            ROOT + "{ticket}/{+rest}",
                            Route.Door.OPEN,
                            Set.of(),
                            this::pass),
                    new Route<>(
                            Route.ANY, ROOT + "{ticket}/", Route.Door.OPEN, Set.of(), this::pass));

    /** Opens one connection to the port of a ticket, for whoever still may. */
    public interface Opener {
        ExecSession open(PortTickets.Ticket ticket) throws JournalException, EngineException;
    }

    public PortPages(PortTickets tickets, Opener opener, Visitors visitors) {
        this.tickets = tickets;
        this.opener = opener;
        this.visitors = visitors;
    }

    /** Where the page of a ticket begins. */
    public static String path(String ticket) {
        return ROOT + ticket + "/";
    }

    private void pass(Call call) throws IOException, JournalException, InterruptedException {
        String name = call.inPath("ticket").orElseThrow();
        PortTickets.Ticket ticket =
                tickets.find(name)
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                ErrorCode.GONE,
                                                "this way to the port is over: open it again from"
                                                        + " the job's page"));
        if (!atOnce.tryAcquire())
            throw new Problem(ErrorCode.BUSY, "too many pages of tasks are being loaded");
        try (ExecSession session = opener.open(ticket)) {
            boolean hasBody = call.request().content().hasEntity();
            byte[] body = hasBody ? call.read(BODY_BYTES_MAX) : new byte[0];
            send(call.request(), body, path(name), ticket, session.input());
            answer(call, path(name), ticket, session.output());
        } catch (EngineException refused) {
            throw new Problem(ErrorCode.CONFLICT, refused.getMessage());
        } finally {
            atOnce.release();
        }
    }

    /** As HTTP/1.0, so that the answer ends where the connection does. */
    private static void send(
            ServerRequest request,
            byte[] body,
            String base,
            PortTickets.Ticket ticket,
            OutputStream to)
            throws IOException {
        String whole = request.prologue().uriPath().rawPath();
        String query = request.prologue().query().rawValue();
        var head = new StringBuilder();
        head.append(request.prologue().method().text())
                .append(" /")
                .append(whole.substring(base.length()))
                .append(query.isEmpty() ? "" : "?" + query)
                .append(" HTTP/1.0\r\nHost: localhost:")
                .append(ticket.port())
                .append("\r\n");
        for (Header header : request.headers()) {
            if (NOT_PASSED_ON.contains(header.name().toLowerCase(Locale.ROOT))) continue;
            for (String value : header.allValues())
                head.append(header.name()).append(": ").append(value).append("\r\n");
        }
        if (body.length > 0) head.append("Content-Length: ").append(body.length).append("\r\n");
        head.append("Connection: close\r\n\r\n");
        to.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        to.write(body);
        to.flush();
    }

    private static void answer(Call call, String base, PortTickets.Ticket ticket, InputStream from)
            throws IOException {
        String[] lines = head(from).split("\r?\n");
        String[] status = lines[0].split(" ", 3);
        if (status.length < 2 || !status[0].startsWith("HTTP/") || !status[1].matches("\\d{3}"))
            throw new Problem(
                    ErrorCode.CONFLICT,
                    "what listens on port " + ticket.port() + " is no web page");
        call.status(Integer.parseInt(status[1]));
        String type = "application/octet-stream";
        for (int i = 1; i < lines.length; i++) {
            int sign = lines[i].indexOf(':');
            if (sign <= 0) continue;
            String name = lines[i].substring(0, sign).strip();
            String value = lines[i].substring(sign + 1).strip();
            if (name.equalsIgnoreCase("content-type")) type = value;
            else if (name.equalsIgnoreCase("location"))
                call.header("Location", moved(value, base, ticket.port()));
            else if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT)))
                call.header(name, value);
        }
        call.header("Content-Security-Policy", SANDBOX);
        call.header("Access-Control-Allow-Origin", "*");
        call.header("Referrer-Policy", "no-referrer");
        call.header("X-Content-Type-Options", "nosniff");
        try (OutputStream out = call.stream(type)) {
            byte[] block = new byte[BLOCK_BYTES];
            for (int count = from.read(block); count > 0; count = from.read(block)) {
                out.write(block, 0, count);
                out.flush();
            }
        }
    }

    /** An address on the port itself, as seen from here. */
    private static String moved(String target, String base, int port) {
        String local =
                target.replaceFirst("^https?://(localhost|127\\.0\\.0\\.1):" + port + "/?", "/");
        return local.startsWith("/") && !local.startsWith("//")
                ? base + local.substring(1)
                : target;
    }

    private static String head(InputStream from) throws IOException {
        var head = new StringBuilder();
        for (int letter = from.read(); letter >= 0; letter = from.read()) {
            head.append((char) letter);
            boolean isOver =
                    letter == '\n' && (endsWith(head, "\r\n\r\n") || endsWith(head, "\n\n"));
            if (isOver) return head.toString();
            if (head.length() > HEAD_BYTES_MAX) break;
        }
        throw new Problem(ErrorCode.CONFLICT, "what listens there has not answered as a web page");
    }

    private static boolean endsWith(StringBuilder text, String end) {
        return text.length() >= end.length()
                && text.substring(text.length() - end.length()).equals(end);
    }

    @Override
    public List<Route<Call>> routes() {
        return routes;
    }

    @Override
    public List<String> patternsOfUnknown() {
        return List.of(ROOT + "{+rest}");
    }

    @Override
    public void enter(Route<Call> route, Call call) {
        requireOwnName(call, visitors);
    }

    @Override
    public Refusal unknown(Call call) {
        return new Problem(ErrorCode.NOT_FOUND, "no such page of a task");
    }
}
