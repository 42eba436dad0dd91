package fairlead.dialects.dlscheduler;

/**
 * One option of a command, as its help has it. All of them take a value.
 *
 * @param name with its dashes
 * @param value what stands for its value in help
 */
public record Choice(String name, String value, String help) {}
