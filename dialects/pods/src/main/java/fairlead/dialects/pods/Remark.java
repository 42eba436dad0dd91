package fairlead.dialects.pods;

/** Something in a pod file that is not as it says, for the one line that its author gets. */
public record Remark(int line, String text) {}
