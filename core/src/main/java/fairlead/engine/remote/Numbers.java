package fairlead.engine.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Numbers as one word of a record on the disk: {@code [1,2]}. */
public final class Numbers {
    private Numbers() {}

    public static String text(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }

    public static List<Integer> parse(String text) {
        var numbers = new ArrayList<Integer>();
        for (String each : text.substring(1, text.length() - 1).split(",")) {
            if (!each.isEmpty()) numbers.add(Integer.parseInt(each));
        }
        return numbers;
    }
}
