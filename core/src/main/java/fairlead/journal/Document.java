package fairlead.journal;

/**
 * A small thing that is kept under a name besides jobs, projects and people, such as a token or a
 * secret. The journal does not read its text.
 *
 * @param kind of which it is; names are unique within a kind
 */
public record Document(String kind, String name, String text) {
    /** What it says may be secret and must not be in a log by accident. */
    @Override
    public String toString() {
        return kind + " " + name;
    }
}
