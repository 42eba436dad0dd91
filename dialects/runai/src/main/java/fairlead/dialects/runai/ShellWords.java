package fairlead.dialects.runai;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A whole command in one text, as the lab's scripts write it: {@code --command -- "PROGRAM 'its
 * argument'"}. It is split where a shell would split it, by blanks outside quotes. No shell runs
 * it, so variables and operators stay as they are.
 */
final class ShellWords {
    private static final Set<String> OPERATORS = Set.of("&&", "||", "|", ";", "&", ">", ">>", "<");
    private static final char NO_QUOTE = 0;

    private final String text;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean isInWord;

    private ShellWords(String text) {
        this.text = text;
    }

    /** The words of a command; one that is given as several words already is left alone. */
    static List<String> of(List<String> command) throws Misuse {
        boolean isOneText = command.size() == 1 && command.getFirst().matches("(?s).*\\s.*");
        return isOneText ? new ShellWords(command.getFirst()).split() : command;
    }

    /** Whether somebody expected a shell: a word is one of its operators. */
    static boolean haveOperator(List<String> words) {
        return words.stream().anyMatch(OPERATORS::contains);
    }

    private List<String> split() throws Misuse {
        char quote = NO_QUOTE;
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (quote == NO_QUOTE && Character.isWhitespace(letter)) {
                end();
            } else if (letter == quote) {
                quote = NO_QUOTE;
            } else if (quote == NO_QUOTE && (letter == '\'' || letter == '"')) {
                quote = letter;
                isInWord = true;
            } else if (letter == '\\' && quote != '\'' && isEscape(i, quote)) {
                add(text.charAt(++i));
            } else {
                add(letter);
            }
        }
        if (quote != NO_QUOTE) {
            throw new Misuse("the command has a " + quote + " without its end: " + text);
        }
        end();
        if (words.isEmpty()) throw new Misuse("the command after '--' is empty");
        return List.copyOf(words);
    }

    /** Between double quotes a backslash is itself, unless it stands before one of these. */
    private boolean isEscape(int at, char quote) {
        if (at + 1 == text.length()) return false;
        return quote == NO_QUOTE || "\"\\$`".indexOf(text.charAt(at + 1)) >= 0;
    }

    private void add(char letter) {
        word.append(letter);
        isInWord = true;
    }

    private void end() {
        if (isInWord) words.add(word.toString());
        word.setLength(0);
        isInWord = false;
    }
}
