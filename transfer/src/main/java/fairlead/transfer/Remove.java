package fairlead.transfer;

import fairlead.storage.Address;
import fairlead.storage.Entry;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Deletes files and folders of a store, each exactly by its name: never what only begins with it,
 * as ACT did. Everything is looked at before the first thing is deleted.
 */
final class Remove {
    private final Screen screen;
    private final boolean yes;

    Remove(Screen screen, boolean yes) {
        this.screen = screen;
        this.yes = yes;
    }

    /** What is to be deleted, and how much that is. */
    private record Target(DataPath path, Stores.Place place, long files, long bytes) {}

    void all(List<DataPath> paths, List<Stores.Place> places) throws Failed, StorageException {
        if (!yes && !screen.inIsTerminal()) {
            throw Failed.usage(
                    "nobody can be asked whether to delete, because the input is no terminal; '-y'"
                            + " deletes without a question");
        }
        screen.interruption().means("interrupted; nothing was deleted");
        var targets = new ArrayList<Target>();
        for (int i = 0; i < paths.size(); i++) targets.add(look(paths.get(i), places.get(i)));
        for (Target target : targets) {
            String what = "%s (%s, %s)".formatted(target.path, count(target), sizeOf(target));
            if (!yes && !agreed("delete " + what + " from " + target.place + "? [y/N] ")) {
                screen.say(target.path + " was not deleted");
                continue;
            }
            screen.interruption()
                    .means(
                            "interrupted; a part of "
                                    + target.path
                                    + " may be deleted, and the same command deletes the rest");
            target.place.storage().delete(target.place.address());
            screen.out().println("deleted " + what + " from " + target.place);
            screen.interruption().means("interrupted; nothing more was deleted");
        }
    }

    private static String count(Target target) {
        return Sizes.files(target.files);
    }

    private static String sizeOf(Target target) {
        return Sizes.of(target.bytes);
    }

    private static Target look(DataPath path, Stores.Place place) throws Failed, StorageException {
        Entry entry =
                place.storage()
                        .stat(place.address())
                        .orElseThrow(
                                () ->
                                        Failed.refused(
                                                "there is no "
                                                        + path
                                                        + " to delete: "
                                                        + place
                                                        + " is not there"));
        if (!entry.isFolder()) return new Target(path, place, 1, entry.bytes());
        var files = new AtomicLong();
        var bytes = new AtomicLong();
        place.storage()
                .list(
                        place.address(),
                        Storage.Depth.ALL,
                        new Storage.Visitor() {
                            @Override
                            public void see(Entry found) {
                                if (!found.isFolder()) count(found.bytes());
                            }

                            /** It goes with its folder. */
                            @Override
                            public void seeUnnamed(Address in, String name, long bytes) {
                                count(bytes);
                            }

                            private void count(long size) {
                                files.incrementAndGet();
                                bytes.addAndGet(size);
                            }
                        });
        return new Target(path, place, files.get(), bytes.get());
    }

    private boolean agreed(String question) throws Failed {
        screen.err().print(question);
        screen.err().flush();
        try {
            String answer =
                    new BufferedReader(new InputStreamReader(screen.in(), StandardCharsets.UTF_8))
                            .readLine();
            if (answer == null) return false;
            String word = answer.strip().toLowerCase(Locale.ROOT);
            return word.equals("y") || word.equals("yes");
        } catch (IOException problem) {
            throw Failed.refused("no answer could be read: " + problem.getMessage());
        }
    }
}
