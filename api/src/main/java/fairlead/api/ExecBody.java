package fairlead.api;

import fairlead.api.spec.CommandAdapter;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * A command to run beside a task.
 *
 * @param task such as {@code main/0}; null: the first
 * @param terminal its kind, as in the variable TERM; null: the command gets plain streams
 * @param rows of the terminal
 * @param columns of the terminal
 */
@Json
public record ExecBody(
        @Json.Serializer(CommandAdapter.class) List<String> command,
        String task,
        String terminal,
        Integer rows,
        Integer columns) {}
