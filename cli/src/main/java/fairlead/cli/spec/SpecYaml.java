package fairlead.cli.spec;

import fairlead.api.ContainerBody;
import fairlead.api.OriginBody;
import fairlead.api.RetryBody;
import fairlead.api.RoleBody;
import fairlead.api.SpecBody;
import fairlead.api.TrainingBody;
import fairlead.cli.Words;

import java.util.List;
import java.util.Map;

/** A spec written as a job file that gives the same spec again when it is read. */
public final class SpecYaml {
    private static final String PLAIN = "[A-Za-z_/][A-Za-z0-9_./@%+=-]*";

    private final StringBuilder text = new StringBuilder();

    private SpecYaml() {}

    public static String of(SpecBody spec) {
        var yaml = new SpecYaml();
        yaml.spec(spec);
        return yaml.text.toString();
    }

    private void spec(SpecBody spec) {
        field("", "name", spec.name());
        field("", "cluster", spec.cluster());
        field("", "project", spec.project());
        number("", "priority", spec.priority());
        flag("", "interactive", spec.interactive());
        command("", spec.command());
        number("", "gpus", spec.gpus());
        field("", "gpu", spec.gpu());
        field("", "gpuMemory", spec.gpuMemory());
        field("", "gpuType", spec.gpuType());
        number("", "cpus", spec.cpus());
        field("", "memory", spec.memory());
        if (spec.roles() != null && !spec.roles().isEmpty()) {
            text.append("roles:\n");
            spec.roles().forEach(this::role);
        }
        variables("env", spec.env());
        variables("secrets", spec.secrets());
        // With a policy the count is zero, and says nothing.
        if (spec.retry() == null) number("", "retries", spec.retries());
        retry(spec.retry());
        field("", "time", spec.time());
        field("", "workdir", spec.workdir());
        field("", "user", spec.user());
        field("", "image", spec.image());
        list("", "mounts", spec.mounts());
        list("", "ports", spec.ports());
        container(spec.container());
        training(spec.training());
        origin(spec.origin());
    }

    private void retry(RetryBody retry) {
        if (retry == null) return;
        text.append("retry:\n");
        number("  ", "limit", retry.limit());
        if (retry.exits() == null || retry.exits().isEmpty()) return;
        text.append("  exits:\n");
        retry.exits().forEach((code, kind) -> field("    ", code, kind));
    }

    private void origin(OriginBody origin) {
        if (origin == null) return;
        text.append("origin:\n");
        field("  ", "dialect", origin.dialect());
        field("  ", "key", origin.key());
        field("  ", "text", origin.text());
    }

    private void container(ContainerBody container) {
        if (container == null) return;
        text.append("container:\n");
        field("  ", "podName", container.podName());
        field("  ", "shm", container.shm());
        field("  ", "runAs", container.runAs());
        flag("  ", "entrypoint", container.entrypoint());
        field("  ", "pullPolicy", container.pullPolicy());
        list("  ", "pullSecrets", container.pullSecrets());
        field("  ", "service", container.service());
        flag("  ", "stdin", container.stdin());
        flag("  ", "tty", container.tty());
        flag("  ", "hostIpc", container.hostIpc());
        flag("  ", "hostNetwork", container.hostNetwork());
    }

    private void training(TrainingBody training) {
        if (training == null) return;
        text.append("training:\n");
        number("  ", "epochs", training.epochs());
        number("  ", "batchSize", training.batchSize());
        number("  ", "trainingSetSize", training.trainingSetSize());
        number("  ", "gpusMin", training.gpusMin());
        number("  ", "gpusMax", training.gpusMax());
        flag("  ", "sharing", training.sharing());
        field("  ", "estimatedMemory", training.estimatedMemory());
        field("  ", "estimate", training.estimate());
        field("  ", "deadline", training.deadline());
    }

    private void role(RoleBody role) {
        text.append("  - name: ").append(scalar(role.name())).append('\n');
        number("    ", "count", role.count());
        command("    ", role.command());
        number("    ", "gpus", role.gpus());
        field("    ", "gpu", role.gpu());
        field("    ", "gpuMemory", role.gpuMemory());
        field("    ", "gpuType", role.gpuType());
        number("    ", "cpus", role.cpus());
        field("    ", "memory", role.memory());
        number("    ", "minFailed", role.minFailed());
        number("    ", "minSucceeded", role.minSucceeded());
        list("    ", "ports", role.ports());
    }

    private void variables(String name, Map<String, String> variables) {
        if (variables == null || variables.isEmpty()) return;
        text.append(name + ":\n");
        variables.forEach((key, value) -> field("  ", key, value));
    }

    private void command(String indent, List<String> command) {
        if (command == null) return;
        text.append(indent).append("command: ");
        if (Words.isShell(command)) {
            text.append(scalar(command.getLast()));
        } else {
            elements(command);
        }
        text.append('\n');
    }

    private void list(String indent, String name, List<String> values) {
        if (values == null || values.isEmpty()) return;
        text.append(indent).append(name).append(": ");
        elements(values);
        text.append('\n');
    }

    private void elements(List<String> values) {
        text.append('[');
        for (int i = 0; i < values.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(scalar(values.get(i)));
        }
        text.append(']');
    }

    private void number(String indent, String name, Number value) {
        if (value != null) text.append(indent).append(name).append(": ").append(value).append('\n');
    }

    private void flag(String indent, String name, Boolean value) {
        if (value != null) text.append(indent).append(name).append(": ").append(value).append('\n');
    }

    private void field(String indent, String name, String value) {
        if (value == null) return;
        text.append(indent).append(name).append(": ").append(scalar(value)).append('\n');
    }

    private static String scalar(String value) {
        boolean word = value.matches("(?i)null|true|false|yes|no|on|off|y|n");
        return value.matches(PLAIN) && !word ? value : quoted(value);
    }

    private static String quoted(String value) {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    // Beyond these YAML wants an escape for some; an escape is never wrong.
                    boolean safe = c >= ' ' && c < 0x7f || c >= 0xa0 && c < 0x2028;
                    boolean surrogate = Character.isSurrogate(c);
                    quoted.append(
                            safe || surrogate ? String.valueOf(c) : "\\u%04x".formatted((int) c));
                }
            }
        }
        return quoted.append('"').toString();
    }
}
