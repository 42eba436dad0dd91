package fairlead.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the command asks of this program. The command has checked the user's words; these are its
 * own.
 *
 * @param from the cluster whose store is read instead of this machine
 * @param yes whether deleting needs no question
 * @param philly whether Philly's config files are meant
 */
record Request(
        String verb,
        Optional<String> cluster,
        Optional<String> from,
        boolean yes,
        boolean philly,
        List<String> paths) {
    Request {
        paths = List.copyOf(paths);
    }

    static Request of(List<String> words) throws Failed {
        if (words.isEmpty()) throw Failed.usage("a verb is missing, such as ls or u");
        Optional<String> cluster = Optional.empty();
        Optional<String> from = Optional.empty();
        boolean yes = false;
        boolean philly = false;
        var paths = new ArrayList<String>();
        for (int next = 1; next < words.size(); next++) {
            switch (words.get(next)) {
                case "--cluster" -> cluster = Optional.of(value(words, ++next));
                case "--from_cluster" -> from = Optional.of(value(words, ++next));
                case "--yes" -> yes = true;
                case "--philly" -> philly = true;
                case "--" -> {
                    paths.addAll(words.subList(next + 1, words.size()));
                    next = words.size();
                }
                default -> throw Failed.usage("there is no option '" + words.get(next) + "'");
            }
        }
        return new Request(words.getFirst(), cluster, from, yes, philly, paths);
    }

    private static String value(List<String> words, int at) throws Failed {
        if (at < words.size()) return words.get(at);
        throw Failed.usage("'" + words.get(at - 1) + "' needs a value");
    }
}
