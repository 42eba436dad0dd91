package fairlead.transfer;

import fairlead.storage.Address;
import fairlead.storage.Entry;
import fairlead.storage.FollowedList;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;

import java.io.PrintStream;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The table of all files whose path begins with a prefix, which may end inside a name, and the sum
 * of their sizes, as a download would bring them: links inside the store are followed, and others
 * named. Of very many files only as many as fit into memory are sorted at a time.
 */
final class ListFiles {
    /** About 30 MB of names. */
    private static final int ROWS_MAX = 100_000;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    /** As wide as a time. */
    private static final String UNKNOWN = "-" + " ".repeat(18);

    private static final String[] HEAD = {
        "name", "size_in_bytes", "creation_time", "last_modified"
    };

    /**
     * @param name as seen from the prefix
     */
    private record Row(String name, Entry entry) {}

    private final Screen screen;
    private final PrintStream out;
    private final List<Row> rows = new ArrayList<>();
    private int[] widths;
    private long bytes;
    private long files;
    private int leftOut;

    private ListFiles(Screen screen) {
        this.screen = screen;
        this.out = screen.out();
    }

    /**
     * @param isFolder whether the prefix ends with a slash, and so shows nothing beside a folder
     * @return how many files there are
     */
    static long print(Stores.Place prefix, boolean isFolder, Screen screen)
            throws StorageException {
        var list = new ListFiles(screen);
        Address address = prefix.address();
        if (isFolder || address.equals(prefix.storage().root())) {
            list.below(prefix.storage(), address, "");
        } else {
            list.beginning(prefix.storage(), address);
        }
        list.flush();
        int more = list.leftOut - ProgressLine.LEFT_OUT_SHOWN;
        if (more > 0) screen.say("and %d more are left out".formatted(more));
        list.out.println("total = " + list.bytes);
        return list.files;
    }

    private void beginning(Storage storage, Address prefix) throws StorageException {
        Address parent = prefix.parent();
        Optional<Entry> top = FollowedList.stat(storage, parent).filter(Entry::isFolder);
        if (top.isEmpty()) return;
        var folders = new ArrayList<Address>();
        storage.list(
                top.get().address(),
                Storage.Depth.CHILDREN,
                new Storage.Visitor() {
                    @Override
                    public void see(Entry entry) throws StorageException {
                        String name = entry.address().name();
                        if (!name.startsWith(prefix.name())) return;
                        if (entry.isFile()) add(shown(name), entry);
                        else if (entry.isFolder()
                                || storage.folderBehind(entry.address()).isPresent())
                            folders.add(entry.address());
                        else leaveOut(shown(name), FollowedList.UNREADABLE);
                    }

                    @Override
                    public void seeUnnamed(Address in, String name, long bytes) {
                        if (name.startsWith(prefix.name()))
                            leaveOut(shown(Address.shown(name)), FollowedList.UNNAMED);
                    }

                    private String shown(String name) {
                        return name.equals(prefix.name()) ? name : "../" + name;
                    }
                });
        for (Address folder : folders) {
            boolean isWhole = folder.name().equals(prefix.name());
            below(storage, folder, isWhole ? "" : "../" + folder.name() + "/");
        }
    }

    private void below(Storage storage, Address folder, String shown) throws StorageException {
        Optional<Entry> top = FollowedList.stat(storage, folder).filter(Entry::isFolder);
        if (top.isEmpty()) return;
        FollowedList.of(
                storage,
                top.get().address(),
                new FollowedList.Visitor() {
                    @Override
                    public void see(List<String> names, Entry entry) {
                        if (entry.isFile()) add(shown + String.join("/", names), entry);
                    }

                    @Override
                    public void leftOut(List<String> names, String reason) {
                        leaveOut(shown + String.join("/", names), reason);
                    }
                });
    }

    private void leaveOut(String name, String reason) {
        if (++leftOut <= ProgressLine.LEFT_OUT_SHOWN) screen.say(name + " is left out: " + reason);
    }

    private void add(String name, Entry entry) {
        rows.add(new Row(name, entry));
        bytes += entry.bytes();
        files++;
        if (rows.size() == ROWS_MAX) flush();
    }

    private void flush() {
        if (rows.isEmpty()) return;
        rows.sort(Comparator.comparing(Row::name, NaturalOrder.INSTANCE));
        if (widths == null) {
            widths = new int[] {HEAD[0].length(), HEAD[1].length()};
            for (Row row : rows) widths[0] = Math.max(widths[0], row.name.length());
            print(HEAD);
        }
        for (Row row : rows) {
            print(
                    row.name,
                    Long.toString(row.entry.bytes()),
                    row.entry.created().map(TIME::format).orElse(UNKNOWN),
                    TIME.format(row.entry.modified()));
        }
        rows.clear();
    }

    private void print(String... cells) {
        var line = new StringBuilder(cells[0]);
        line.repeat(' ', Math.max(0, widths[0] - cells[0].length()) + 2);
        line.repeat(' ', Math.max(0, widths[1] - cells[1].length())).append(cells[1]);
        out.println(
                line.append("  ")
                        .append(cells[2])
                        .repeat(' ', Math.max(0, UNKNOWN.length() - cells[2].length()))
                        .append("  ")
                        .append(cells[3]));
    }
}
