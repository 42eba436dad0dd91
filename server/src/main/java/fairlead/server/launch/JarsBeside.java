package fairlead.server.launch;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Folders of jars beside the server's own, which are on nobody's class path: what brings a large
 * client along is loaded from there, by a class loader of its own, when it is asked for
 * (docs/adr/0006).
 *
 * @param folder has them all
 */
public record JarsBeside(Path folder) {
    /**
     * Those beside the folder of the server's own jar. The class itself would name the place where
     * its cache was made, in a release a folder of another machine. Where it is in no jar, there
     * are none.
     */
    public static JarsBeside ours() {
        String self = JarsBeside.class.getResource("JarsBeside.class").toString();
        String jar = self.startsWith("jar:") ? self.substring(4, self.lastIndexOf('!')) : self;
        return new JarsBeside(Path.of(URI.create(jar)).resolve("../..").normalize());
    }

    /** Services that some of the folders have; none where a folder is missing or has none. */
    public <T> Stream<T> services(Class<T> service, String... names) throws IOException {
        var urls = new ArrayList<URL>();
        for (String name : names) {
            Path place = folder.resolve(name);
            if (!Files.isDirectory(place)) continue;
            try (Stream<Path> files = Files.list(place)) {
                for (Path file : files.sorted().toList()) urls.add(url(file));
            }
        }
        // The loader lives as long as the server: its classes are used from then on.
        var loader =
                new URLClassLoader(
                        String.join("-", names),
                        urls.toArray(URL[]::new),
                        JarsBeside.class.getClassLoader());
        return ServiceLoader.load(service, loader).stream().map(ServiceLoader.Provider::get);
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
