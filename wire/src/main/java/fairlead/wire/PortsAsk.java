package fairlead.wire;

import fairlead.api.spec.RoleBody;
import fairlead.job.Role;
import fairlead.job.SpecException;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ports of a role between their two forms: {@code label} or {@code label:FIRST:COUNT}. */
final class PortsAsk {
    private static final Pattern FORM = Pattern.compile("([^:]+)(?::([0-9]{1,5}):([0-9]{1,5}))?");

    private PortsAsk() {}

    static List<Role.Ports> read(RoleBody body) {
        if (body.ports() == null) return List.of();
        return body.ports().stream().map(PortsAsk::read).toList();
    }

    private static Role.Ports read(String text) {
        SpecException.unless(text != null, "ports", "contain a null");
        Matcher form = FORM.matcher(text);
        SpecException.unless(
                form.matches(),
                "ports",
                "must be LABEL or LABEL:FIRST:COUNT, but one is '" + text + "'");
        return form.group(2) == null
                ? new Role.Ports(text, 0, 1)
                : new Role.Ports(
                        form.group(1),
                        Integer.parseInt(form.group(2)),
                        Integer.parseInt(form.group(3)));
    }

    static List<String> write(Role role) {
        return role.ports().isEmpty() ? null : role.ports().stream().map(PortsAsk::text).toList();
    }

    private static String text(Role.Ports ports) {
        return ports.isFixed() || ports.count() > 1
                ? ports.label() + ":" + ports.first() + ":" + ports.count()
                : ports.label();
    }
}
