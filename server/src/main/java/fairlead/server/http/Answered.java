package fairlead.server.http;

/**
 * A call that was to change something, and what came of it.
 *
 * @param who made it; empty where nobody was known
 * @param from the address that it came from
 * @param path of its route
 * @param subject what it was about
 */
public record Answered(
        String who, String from, String method, String path, String subject, int status) {}
