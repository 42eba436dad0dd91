package fairlead.transfer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file or folder that the local folder and a store both have a place for, such as {@code
 * data/voc20}: its first name is a folder of the config file.
 *
 * @param rest the names below it; none for the whole folder
 * @param isFolder whether it was typed with a slash at its end
 */
record DataPath(String first, List<String> rest, boolean isFolder) {
    DataPath {
        rest = List.copyOf(rest);
    }

    /**
     * Slashes and dots in front count for nothing, as in ACT; an absolute path below the current
     * folder is taken for the same from there.
     */
    static DataPath of(String word, Path folder) throws Failed {
        String text = word;
        String here = folder + "/";
        if (text.startsWith(here)) text = text.substring(here.length());
        var names = new ArrayList<String>();
        for (String name : text.split("/")) {
            if (name.isEmpty() || name.equals(".")) continue;
            if (name.equals("..")) {
                throw Failed.usage(
                        "'"
                                + word
                                + "' leads upwards by '..': a path begins in "
                                + folder
                                + ", the folder of the config files, and must lie below it");
            }
            if (name.chars().anyMatch(Character::isISOControl))
                throw Failed.usage("'" + word.replaceAll("\\p{Cntrl}", "?") + "' is no path");
            names.add(name);
        }
        if (names.isEmpty())
            throw Failed.usage("'" + word + "' is no path such as data/voc20: it names no folder");
        return new DataPath(names.getFirst(), names.subList(1, names.size()), text.endsWith("/"));
    }

    /** Where it is on this machine. */
    Path under(Path folder) {
        Path place = folder.resolve(first);
        for (String name : rest) place = place.resolve(name);
        return place;
    }

    @Override
    public String toString() {
        return rest.isEmpty() ? first : first + "/" + String.join("/", rest);
    }
}
