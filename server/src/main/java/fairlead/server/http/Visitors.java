package fairlead.server.http;

import static java.util.Locale.ROOT;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What may be had without a token, under which names of this server, and from which pages. A
 * browser lets any page of the net call a server that its user can reach. Such a page has no token,
 * so it could read what needs none: under its own origin, or under a name of its own that it lets
 * point here (DNS rebinding). Addresses in numbers cannot be pointed elsewhere. Any thread.
 *
 * @param isLoopback whether all calls come from this machine, so that one under another name can
 *     only be a browser's that was led here
 * @param guests whether OpenPAI's lists are for everyone, as in OpenPAI
 * @param names of this server, besides addresses in numbers; lower case
 * @param origins of pages that may call, besides those of this server; lower case
 */
public record Visitors(boolean isLoopback, boolean guests, Set<String> names, Set<String> origins) {
    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9a-f:.]+]|[^:\\[\\]]+)(:\\d{0,5})?");
    private static final Pattern NUMBERS = Pattern.compile("\\[.*]|\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\..*|\\[?::1]?");

    public Visitors {
        names = Set.copyOf(names);
        origins = Set.copyOf(origins);
    }

    /**
     * @param host where the server listens
     * @param url where it is found from elsewhere
     * @param guests what the settings say; otherwise only where nobody comes from elsewhere
     * @param machine what this machine calls itself
     */
    public static Visitors of(
            String host,
            Optional<String> url,
            Optional<Boolean> guests,
            Set<String> moreNames,
            Set<String> moreOrigins,
            String machine) {
        Optional<String> urlHost = url.map(text -> URI.create(text).getHost().toLowerCase(ROOT));
        var names = new HashSet<>(List.of("localhost", host.toLowerCase(ROOT)));
        urlHost.ifPresent(names::add);
        names.add(machine.toLowerCase(ROOT));
        moreNames.forEach(name -> names.add(name.toLowerCase(ROOT)));
        var origins = new HashSet<String>();
        url.ifPresent(text -> origins.add(text.toLowerCase(ROOT)));
        moreOrigins.forEach(origin -> origins.add(origin.toLowerCase(ROOT)));
        boolean isHere = isLoopback(host) && urlHost.map(Visitors::isLoopback).orElse(true);
        return new Visitors(isHere, guests.orElse(isHere), names, origins);
    }

    private static boolean isLoopback(String host) {
        return LOOPBACK.matcher(host).matches();
    }

    /**
     * Why a call without a token is not answered; empty when it may be.
     *
     * @param host the header
     */
    public Optional<String> hostRefusal(Optional<String> host) {
        Optional<String> name = host.flatMap(Visitors::name);
        if (name.filter(this::isOurs).isPresent()) return Optional.empty();
        return Optional.of(
                "this server is not called '%.100s'; the setting 'names' says what else it is called"
                        .formatted(name.orElse("")));
    }

    /**
     * Why a page may not call, whoever's token it has; empty when it may.
     *
     * @param origin the header that a browser adds; other programs send none
     */
    public Optional<String> pageRefusal(Optional<String> origin, Optional<String> host) {
        if (origin.isEmpty()) return Optional.empty();
        String page = origin.get().toLowerCase(ROOT);
        boolean isOwn =
                hostRefusal(host).isEmpty()
                        && page.replaceFirst("^https?://", "")
                                .equals(host.orElse("").toLowerCase(ROOT));
        return isOwn || origins.contains(page)
                ? Optional.empty()
                : Optional.of(
                        "pages of '%.100s' may not call this server; the setting 'origins' lets them"
                                .formatted(page));
    }

    private boolean isOurs(String name) {
        return names.contains(name) || NUMBERS.matcher(name).matches();
    }

    private static Optional<String> name(String header) {
        Matcher matcher = HOST.matcher(header.toLowerCase(ROOT));
        return matcher.matches()
                ? Optional.of(matcher.group(1).replaceFirst("\\.$", ""))
                : Optional.empty();
    }
}
