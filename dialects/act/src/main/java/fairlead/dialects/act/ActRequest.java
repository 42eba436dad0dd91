package fairlead.dialects.act;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a user asks for beyond the config file.
 *
 * @param words the command, one for each argument
 * @param gpus of all nodes together; empty for one whole node
 * @param single one process on each node, whatever the file says
 * @param compileArgs instead of the file's
 * @param hold keeps the nodes of a job that fails
 */
public record ActRequest(
        List<String> words,
        OptionalInt gpus,
        boolean single,
        Optional<String> compileArgs,
        boolean hold) {
    public ActRequest {
        words = List.copyOf(words);
        if (words.isEmpty()) throw new IllegalArgumentException("the command is empty");
    }

    /**
     * The words of a command as ACT runs them: joined by single spaces and split at them again,
     * without a shell. So a command may be typed with quotes around it, and a word with a blank
     * becomes two.
     */
    public static List<String> words(List<String> typed) {
        var words = new ArrayList<String>();
        for (String word : String.join(" ", typed).split(" ")) {
            if (!word.isEmpty()) words.add(word);
        }
        return words;
    }
}
