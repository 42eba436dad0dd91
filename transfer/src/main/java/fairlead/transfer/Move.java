package fairlead.transfer;

import fairlead.storage.Entry;
import fairlead.storage.StorageException;
import fairlead.storage.Transfer;
import fairlead.storage.Words;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Takes a file or folder from this machine to a store, or brings it from there. */
final class Move {
    private final Screen screen;

    Move(Screen screen) {
        this.screen = screen;
    }

    /** All are looked at before the first is touched. */
    void upload(List<DataPath> paths, List<Stores.Place> to) throws Failed, StorageException {
        for (DataPath path : paths) {
            Path from = path.under(screen.folder());
            if (!Files.exists(from))
                throw Failed.usage("there is no " + path + " in " + screen.folder());
            if (!Files.isRegularFile(from) && !Files.isDirectory(from))
                throw Failed.usage(path + " is no file and no folder, so it is not uploaded");
        }
        for (int i = 0; i < paths.size(); i++) upload(paths.get(i), to.get(i));
    }

    private void upload(DataPath path, Stores.Place to) throws StorageException {
        try (var progress = new ProgressLine(screen, path.toString())) {
            new Transfer(to.storage(), progress).upload(path.under(screen.folder()), to.address());
            progress.end();
            tell("uploaded " + path + " to " + to, progress);
        }
    }

    /** All are looked at before the first is touched. */
    void download(List<DataPath> paths, List<Stores.Place> from) throws Failed, StorageException {
        for (int i = 0; i < paths.size(); i++) look(paths.get(i), from.get(i));
        for (int i = 0; i < paths.size(); i++) download(paths.get(i), from.get(i));
    }

    private void look(DataPath path, Stores.Place from) throws Failed, StorageException {
        Entry entry = from.entry(path, "download");
        Path to = path.under(screen.folder());
        boolean isOtherKind = Files.exists(to) && Files.isDirectory(to) != entry.isFolder();
        if (isOtherKind) {
            throw Failed.refused(
                    path
                            + (entry.isFolder() ? " is a file" : " is a folder")
                            + " here, but "
                            + from
                            + " is none");
        }
    }

    private void download(DataPath path, Stores.Place from) throws Failed, StorageException {
        Path to = path.under(screen.folder());
        try {
            Files.createDirectories(to.getParent());
        } catch (IOException problem) {
            throw Failed.refused("no folder can be made for " + path + ": " + Words.of(problem));
        }
        try (var progress = new ProgressLine(screen, path.toString())) {
            new Transfer(from.storage(), progress).download(from.address(), to);
            progress.end();
            tell("downloaded " + path + " from " + from, progress);
        }
    }

    private void tell(String what, ProgressLine progress) {
        screen.out()
                .println(
                        what
                                + ": "
                                + Sizes.files(progress.files())
                                + ", "
                                + Sizes.of(progress.bytes())
                                + ", of which "
                                + Sizes.of(progress.sent())
                                + " moved");
    }
}
