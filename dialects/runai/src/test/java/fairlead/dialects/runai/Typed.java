package fairlead.dialects.runai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** A line of {@code runai submit} as somebody types it, split at blanks. */
final class Typed {
    private Typed() {}

    static Order order(String line, Surroundings here) throws Misuse, Declined {
        String[] halves = (line + " ").split(" -- ", 2);
        var values = new LinkedHashMap<String, List<String>>();
        var words = new ArrayList<String>();
        var left = new ArrayList<>(List.of(halves[0].strip().split(" ")));
        while (!left.isEmpty()) {
            String word = left.removeFirst();
            Flag flag =
                    Flags.ALL.stream()
                            .filter(
                                    known ->
                                            word.equals(known.name())
                                                    || word.equals(known.letter()))
                            .findFirst()
                            .orElse(null);
            if (flag == null) words.add(word);
            else
                values.computeIfAbsent(flag.name(), _ -> new ArrayList<>())
                        .add(flag.value() == null ? "" : left.removeFirst());
        }
        List<String> rest = halves.length == 1 ? List.of() : List.of(halves[1].strip().split(" "));
        return SubmitCommand.read(values, words, rest, here);
    }
}
