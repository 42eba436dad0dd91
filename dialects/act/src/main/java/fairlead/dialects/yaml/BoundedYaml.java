package fairlead.dialects.yaml;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * The parser of YAML with bounds: the library takes stack for each level of nesting, and memory for
 * each document.
 */
public final class BoundedYaml implements Parser {
    /** A job file has seven levels, a config of ACT fewer. */
    public static final int DEPTH_MAX = 64;

    private final Parser parser;
    private final int documentsMax;
    private int depth;
    private int documents;

    /** Told where a text goes beyond a bound; it may be YAML all the same. */
    public static final class TooMuch extends ParserException {
        private static final long serialVersionUID = 1;

        private TooMuch(String problem, Event event) {
            super(problem, event.getStartMark());
        }
    }

    /** What is wrong with a text, and where. */
    public record Trouble(int line, String words) {
        public static Trouble of(YamlEngineException e, String text) {
            return switch (e) {
                case TooMuch much -> new Trouble(line(much), much.getProblem());
                case MarkedYamlEngineException marked ->
                        new Trouble(line(marked), "not YAML: " + plain(marked.getProblem()));
                case ReaderException odd -> {
                    int end = Math.min(odd.getPosition(), text.length());
                    long line = 1 + text.substring(0, end).chars().filter(c -> c == '\n').count();
                    yield new Trouble(
                            (int) line,
                            "the character U+%04X is not allowed in a file"
                                    .formatted(odd.getCodePoint()));
                }
                default -> new Trouble(1, "not YAML: " + e.getMessage());
            };
        }

        /** The library speaks of tokens, and of blocks, whose ends are nowhere written. */
        private static String plain(String problem) {
            if (problem.contains("TAB")) return "a tab is here, where only blanks may be";
            boolean isIndented = problem.contains("<block");
            return isIndented ? "wrong indentation (" + problem + ")" : problem;
        }

        private static int line(MarkedYamlEngineException e) {
            return e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
        }
    }

    private BoundedYaml(LoadSettings settings, String text, int documentsMax) {
        this.parser = new ParserImpl(settings, new StreamReader(settings, text));
        this.documentsMax = documentsMax;
    }

    /** The nodes of a text, a document at a time, or {@link TooMuch}. */
    public static Composer composer(LoadSettings settings, String text, int documentsMax) {
        return new Composer(settings, new BoundedYaml(settings, text, documentsMax));
    }

    /** Reads all of a text, and fails where it goes beyond a bound or is no YAML. */
    public static void check(LoadSettings settings, String text) {
        var events = new BoundedYaml(settings, text, 1);
        while (events.hasNext()) events.next();
    }

    @Override
    public boolean checkEvent(Event.ID choice) {
        return parser.checkEvent(choice);
    }

    @Override
    public Event peekEvent() {
        return parser.peekEvent();
    }

    @Override
    public boolean hasNext() {
        return parser.hasNext();
    }

    @Override
    public Event next() {
        Event event = parser.next();
        Event.ID id = event.getEventId();
        if (id == Event.ID.SequenceStart || id == Event.ID.MappingStart) {
            if (++depth > DEPTH_MAX)
                throw new TooMuch("is nested more than " + DEPTH_MAX + " levels deep", event);
        } else if (id == Event.ID.SequenceEnd || id == Event.ID.MappingEnd) {
            depth--;
        } else if (id == Event.ID.DocumentStart && ++documents > documentsMax) {
            throw new TooMuch("has more than " + documentsMax + " documents", event);
        }
        return event;
    }
}
