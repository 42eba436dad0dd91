package fairlead.engines.yarn;

import fairlead.engines.yarn.master.Master;
import fairlead.engines.yarn.relay.Orders;
import fairlead.engines.yarn.relay.State;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Our folder in the cluster's file system: the jar of masters and keepers, named by its digest, and
 * a folder for each application, which only we and the application's account can open.
 */
final class Staging {
    private static final FsPermission OURS = new FsPermission((short) 0700);
    private static final int DIGEST_CHARACTERS = 16;

    private final FileSystem files;
    private final Path folder;
    private final Path applications;
    private LocalResource jar;

    /**
     * @param server the mark on everything that is ours: servers may share a folder
     */
    Staging(FileSystem files, Optional<String> folder, String server) {
        this.files = files;
        this.folder =
                files.makeQualified(
                        folder.map(Path::new)
                                .orElseGet(() -> new Path(files.getHomeDirectory(), ".fairlead")));
        this.applications = new Path(this.folder, server);
    }

    Path folder(String application) {
        return new Path(applications, application);
    }

    /** Puts it there the first time, and again when somebody has removed it. */
    synchronized LocalResource jar() throws IOException {
        if (jar != null && files.exists(path(jar))) return jar;
        byte[] bytes = jarBytes();
        var path = new Path(folder, "fairlead-" + digest(bytes) + ".jar");
        if (!files.exists(path)) {
            var part = new Path(folder, path.getName() + "." + System.nanoTime());
            FileSystem.mkdirs(files, folder, OURS);
            try (var out = files.create(part, true)) {
                out.write(bytes);
            }
            // Another server may have been faster; then theirs, which is the same, stays.
            if (!files.rename(part, path)) files.delete(part, false);
        }
        jar = resource(path, LocalResourceVisibility.PRIVATE);
        return jar;
    }

    static Path path(LocalResource resource) throws IOException {
        try {
            return resource.getResource().toPath();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    LocalResource orders(String application, Orders orders) throws IOException {
        var home = folder(application);
        FileSystem.mkdirs(files, home, OURS);
        var path = new Path(home, Orders.FILE);
        try (var out = new DataOutputStream(files.create(path, true))) {
            orders.write(out);
        }
        return resource(path, LocalResourceVisibility.APPLICATION);
    }

    /**
     * Packs a folder of this machine for the application's tasks, whole or not at all.
     *
     * @return its address
     */
    Path code(String application, java.nio.file.Path from) throws IOException {
        var home = folder(application);
        FileSystem.mkdirs(files, home, OURS);
        var path = new Path(home, Orders.CODE + ".zip");
        var part = new Path(home, Orders.CODE + ".part");
        if (files.exists(path)) return path;
        try (var zip = new ZipOutputStream(files.create(part, true));
                var all = Files.walk(from)) {
            zip.setLevel(Deflater.BEST_SPEED);
            for (java.nio.file.Path each : all.sorted().toList()) {
                String name = from.relativize(each).toString();
                if (Files.isDirectory(each)) {
                    if (name.isEmpty()) continue;
                    zip.putNextEntry(new ZipEntry(name + "/"));
                } else {
                    zip.putNextEntry(new ZipEntry(name));
                    Files.copy(each, zip);
                }
            }
        }
        files.rename(part, path);
        return path;
    }

    LocalResource resource(Path path, LocalResourceVisibility visibility) throws IOException {
        var status = files.getFileStatus(path);
        return LocalResource.newInstance(
                URL.fromPath(path),
                LocalResourceType.FILE,
                visibility,
                status.getLen(),
                status.getModificationTime());
    }

    /** What the master has left; empty when it never came so far. */
    Optional<State> state(String application) throws IOException {
        try (var in = new DataInputStream(files.open(new Path(folder(application), State.FILE)))) {
            return Optional.of(State.read(in));
        } catch (FileNotFoundException _) {
            return Optional.empty();
        }
    }

    /** Where the last part of a task's log begins that the master has left; empty if it has not. */
    OptionalLong restStart(String application, int rank) throws IOException {
        var found = files.globStatus(new Path(folder(application), "log." + rank + ".*"));
        if (found == null || found.length == 0) return OptionalLong.empty();
        String name = found[0].getPath().getName();
        return OptionalLong.of(Long.parseLong(name.substring(name.lastIndexOf('.') + 1)));
    }

    InputStream rest(String application, int rank, long start) throws IOException {
        return files.open(new Path(folder(application), "log." + rank + "." + start));
    }

    void remove(String application) throws IOException {
        files.delete(folder(application), true);
    }

    /** The applications that have a folder here. */
    List<String> applications() throws IOException {
        var names = new ArrayList<String>();
        try {
            for (var each : files.listStatus(applications)) names.add(each.getPath().getName());
        } catch (FileNotFoundException _) {
            return List.of();
        }
        return names;
    }

    private static String digest(byte[] bytes) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(sum).substring(0, DIGEST_CHARACTERS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As it lies beside our own; in a build that has made no jars, of its classes. */
    private static byte[] jarBytes() throws IOException {
        java.nio.file.Path place;
        try {
            var source = Master.class.getProtectionDomain().getCodeSource();
            place = java.nio.file.Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        if (Files.isRegularFile(place)) return Files.readAllBytes(place);
        var bytes = new ByteArrayOutputStream();
        try (var jar = new JarOutputStream(bytes);
                var classes = Files.walk(place)) {
            for (java.nio.file.Path each : classes.sorted().toList()) {
                if (!each.toString().endsWith(".class")) continue;
                var entry = new JarEntry(place.relativize(each).toString());
                entry.setTime(0);
                jar.putNextEntry(entry);
                Files.copy(each, jar);
            }
        }
        return bytes.toByteArray();
    }
}
