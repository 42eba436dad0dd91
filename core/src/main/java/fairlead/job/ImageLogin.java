package fairlead.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How to log in to the registry of a job's image. It is made for a launch and is no part of the
 * job, so neither the journal nor an answer ever has it. Its text does not show the password.
 */
public record ImageLogin(String registry, String user, String password) {
    /** Nothing that JSON would need to escape. */
    private static final Pattern REGISTRY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.:/_-]{0,254}");

    /** Docker's own registry goes by two names, and each program knows another one. */
    private static final List<String> HUB = List.of("docker.io", "https://index.docker.io/v1/");

    public ImageLogin {
        if (!isRegistry(registry))
            throw new IllegalArgumentException("no name of a registry: " + registry);
    }

    public static boolean isRegistry(String text) {
        return REGISTRY.matcher(text).matches();
    }

    /** The text of the file in which docker, podman and Kubernetes look for logins. */
    public String file() {
        byte[] pair = (user + ":" + password).getBytes(UTF_8);
        String secret = Base64.getEncoder().encodeToString(pair);
        var names = new LinkedHashSet<>(List.of(registry));
        if (HUB.contains(registry)) names.addAll(HUB);
        return names.stream()
                .map(name -> "\"%s\":{\"auth\":\"%s\"}".formatted(name, secret))
                .collect(Collectors.joining(",", "{\"auths\":{", "}}\n"));
    }

    @Override
    public String toString() {
        return user + "@" + registry;
    }
}
