package fairlead.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * As much of Azure Blob Storage as a rehearsal needs to go through Azure's client: it believes
 * every signature and keeps no content.
 */
final class RehearsalBlobs implements AutoCloseable {
    static final String ACCOUNT = "rehearsal";

    private static final Pattern BLOCK = Pattern.compile("<Latest>([^<]+)</Latest>");
    private static final String TIME = "Sat, 01 Jan 2000 00:00:00 GMT";
    private static final String XML = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";

    private final HttpServer server;

    /** The committed blocks of each blob. */
    private final Map<String, List<String>> blobs = new ConcurrentHashMap<>();

    RehearsalBlobs() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + ACCOUNT;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        exchange.getResponseHeaders().set("ETag", "\"0x1\"");
        exchange.getResponseHeaders().set("Last-Modified", TIME);
        exchange.getResponseHeaders().set("x-ms-request-id", "1");
        exchange.getResponseHeaders().set("x-ms-version", "2021-08-06");
        switch (exchange.getRequestMethod()) {
            case "PUT" -> {
                if (!query.contains("comp=block")) blobs.put(path, List.of());
                if (query.contains("comp=blocklist")) blobs.put(path, blocks(body));
                send(exchange, 201, "");
            }
            case "DELETE" -> {
                blobs.remove(path);
                send(exchange, 202, "");
            }
            default -> {
                if (query.contains("comp=list")) send(exchange, 200, listing(query));
                else if (query.contains("restype=container")) send(exchange, 200, "");
                else if (blobs.containsKey(path)) send(exchange, 200, blob(path, query));
                else missing(exchange);
            }
        }
    }

    private static List<String> blocks(String body) {
        var names = new ArrayList<String>();
        Matcher each = BLOCK.matcher(body);
        while (each.find()) names.add(each.group(1));
        return names;
    }

    private String blob(String path, String query) {
        if (!query.contains("comp=blocklist")) return "";
        var text = new StringBuilder(XML).append("<BlockList><CommittedBlocks>");
        for (String name : blobs.get(path))
            text.append("<Block><Name>").append(name).append("</Name><Size>1</Size></Block>");
        return text.append("</CommittedBlocks><UncommittedBlocks/></BlockList>").toString();
    }

    /** What is asked about a single file must not make it look like a folder. */
    private static String listing(String query) {
        boolean isFolder = query.contains("prefix=data/") && !query.contains(".txt/");
        return XML
                + "<EnumerationResults ServiceEndpoint=\"http://x/\" ContainerName=\"code\"><Blobs>"
                + (isFolder ? entries() : "")
                + "</Blobs><NextMarker/></EnumerationResults>";
    }

    private static String entries() {
        return "<BlobPrefix><Name>data/b/</Name></BlobPrefix><Blob><Name>data/a/0.txt</Name>"
                + "<Properties><Creation-Time>"
                + TIME
                + "</Creation-Time><Last-Modified>"
                + TIME
                + "</Last-Modified><Etag>0x1</Etag><Content-Length>0</Content-Length>"
                + "<Content-MD5>1B2M2Y8AsgTpgAmY7PhCfg==</Content-MD5>"
                + "<BlobType>BlockBlob</BlobType></Properties></Blob>";
    }

    private static void missing(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("x-ms-error-code", "BlobNotFound");
        send(exchange, 404, XML + "<Error><Code>BlobNotFound</Code><Message>no</Message></Error>");
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        if (bytes.length > 0) exchange.getResponseHeaders().set("Content-Type", "application/xml");
        exchange.sendResponseHeaders(status, isHead || bytes.length == 0 ? -1 : bytes.length);
        if (!isHead && bytes.length > 0) exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
