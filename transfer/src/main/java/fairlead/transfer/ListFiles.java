package fairlead.transfer;

import fairlead.storage.Address;
import fairlead.storage.Entry;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;

import java.io.PrintStream;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The table of all files whose path begins with a prefix, which may end inside a name, and the sum
 * of their sizes. Of very many files only as many as fit into memory are sorted at a time.
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

    private final PrintStream out;
    private final List<Row> rows = new ArrayList<>();
    private int[] widths;
    private long bytes;
    private long files;

    private ListFiles(PrintStream out) {
        this.out = out;
    }

    /**
     * @param isFolder whether the prefix ends with a slash, and so shows nothing beside a folder
     * @return how many files there are
     */
    static long print(Stores.Place prefix, boolean isFolder, PrintStream out)
            throws StorageException {
        var list = new ListFiles(out);
        Address address = prefix.address();
        if (isFolder || address.equals(prefix.storage().root())) {
            list.below(prefix.storage(), address, "");
        } else {
            list.beginning(prefix.storage(), address);
        }
        list.flush();
        out.println("total = " + list.bytes);
        return list.files;
    }

    private void beginning(Storage storage, Address prefix) throws StorageException {
        Address parent = prefix.parent();
        if (storage.stat(parent).filter(Entry::isFolder).isEmpty()) return;
        var folders = new ArrayList<Address>();
        storage.list(
                parent,
                Storage.Depth.CHILDREN,
                entry -> {
                    String name = entry.address().name();
                    if (!name.startsWith(prefix.name())) return;
                    if (entry.isFolder()) folders.add(entry.address());
                    else see(name.equals(prefix.name()) ? name : "../" + name, entry);
                });
        for (Address folder : folders) {
            below(storage, folder, folder.equals(prefix) ? "" : "../" + folder.name() + "/");
        }
    }

    private void below(Storage storage, Address folder, String shown) throws StorageException {
        if (storage.stat(folder).filter(Entry::isFolder).isEmpty()) return;
        storage.list(
                folder,
                Storage.Depth.ALL,
                entry -> {
                    if (entry.isFolder()) return;
                    see(shown + String.join("/", entry.address().below(folder)), entry);
                });
    }

    private void see(String name, Entry entry) {
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
