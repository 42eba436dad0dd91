package fairlead.cli.help;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarFile;

/**
 * The pages of docs that travel with the program, by name. The build puts the files themselves
 * beside the classes, so a new page is a new topic.
 */
public final class Topics {
    private static final String FOLDER = "fairlead/docs/";
    private static final String END = ".md";

    private Topics() {}

    /** In the order of the alphabet; a topic is called as its file, in small letters. */
    public static List<String> names() throws IOException {
        return List.copyOf(files().keySet());
    }

    /** The page as it was written; empty where there is no such topic. */
    public static Optional<String> page(String name) throws IOException {
        String topic = name.toLowerCase(Locale.ROOT).replaceFirst("\\.md$", "");
        // Whoever comes from another system may know no more than its name.
        String file = files().getOrDefault(topic, files().get("from-" + topic));
        if (file == null) return Optional.empty();
        try (InputStream in = Topics.class.getClassLoader().getResourceAsStream(FOLDER + file)) {
            if (in == null) throw new IOException("the page " + file + " cannot be read");
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static TreeMap<String, String> files() throws IOException {
        var files = new TreeMap<String, String>();
        for (String file : listed()) {
            String name = file.substring(0, file.length() - END.length());
            files.put(name.toLowerCase(Locale.ROOT), file);
        }
        return files;
    }

    private static List<String> listed() throws IOException {
        Path place = place();
        var names = new ArrayList<String>();
        if (Files.isDirectory(place)) {
            try (var files = Files.newDirectoryStream(place.resolve(FOLDER), "*" + END)) {
                for (Path file : files) names.add(file.getFileName().toString());
            }
            return names;
        }
        try (var jar = new JarFile(place.toFile())) {
            jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(FOLDER) && name.endsWith(END))
                    .map(name -> name.substring(FOLDER.length()))
                    .forEach(names::add);
        }
        return names;
    }

    /**
     * The jar of the program, or the folder of its classes. The class itself would name the place
     * where its cache was made, in a release a folder of another machine.
     */
    private static Path place() {
        String self = Topics.class.getName().replace('.', '/') + ".class";
        String found = Topics.class.getResource("/" + self).toString();
        String place = found.substring(0, found.length() - self.length());
        boolean isJar = place.startsWith("jar:");
        return Path.of(
                URI.create(
                        isJar ? place.substring("jar:".length(), place.lastIndexOf('!')) : place));
    }
}
