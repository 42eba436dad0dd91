package fairlead.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A storage in memory, for tests of what moves files. It does only what every storage must, so what
 * the port does for such a storage is tested with it.
 */
class MemoryStorage implements Storage {
    /** Bytes of a file, or null for a folder. */
    private record Held(byte[] bytes, Instant modified, String md5) {}

    private final Address root;
    private final boolean hasMd5;
    private final Map<Address, Held> all = new HashMap<>();
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");

    MemoryStorage(String root, boolean hasMd5) throws StorageException {
        this.root = Address.of(root);
        this.hasMd5 = hasMd5;
        all.put(this.root, new Held(null, now, ""));
    }

    @Override
    public Address root() {
        return root;
    }

    @Override
    public synchronized Optional<Entry> stat(Address address) throws StorageException {
        check(address);
        return Optional.ofNullable(all.get(address)).map(held -> entry(address, held));
    }

    private Entry entry(Address address, Held held) {
        if (held.bytes == null) return new Entry(address, Entry.Kind.FOLDER, 0, held.modified);
        return new Entry(
                address,
                Entry.Kind.FILE,
                held.bytes.length,
                held.modified,
                held.md5,
                Optional.of(held.modified));
    }

    private void check(Address address) throws StorageException {
        if (!address.isIn(root)) throw new StorageException(address + " is outside of " + root);
    }

    @Override
    public Optional<Address> folderBehind(Address link) {
        return Optional.empty();
    }

    @Override
    public void list(Address folder, Depth depth, Visitor visitor) throws StorageException {
        if (!stat(folder).orElseThrow(() -> nothing(folder)).isFolder())
            throw new StorageException(folder + " is a file and no folder");
        for (Entry child : children(folder)) {
            visitor.see(child);
            if (depth == Depth.ALL && child.isFolder()) list(child.address(), depth, visitor);
        }
    }

    private synchronized List<Entry> children(Address folder) {
        var children = new ArrayList<Entry>();
        for (var each : all.entrySet()) {
            Address place = each.getKey();
            if (!place.equals(root) && place.parent().equals(folder))
                children.add(entry(place, each.getValue()));
        }
        return children;
    }

    private static StorageException nothing(Address address) {
        return new StorageException("there is nothing called " + address);
    }

    @Override
    public InputStream download(Address file, long offset) throws StorageException {
        byte[] bytes = bytes(file);
        int from = (int) Math.min(offset, bytes.length);
        return new ByteArrayInputStream(bytes, from, bytes.length - from);
    }

    synchronized byte[] bytes(Address file) throws StorageException {
        check(file);
        Held held = all.get(file);
        if (held == null) throw nothing(file);
        if (held.bytes == null) throw new StorageException(file + " is a folder and no file");
        return held.bytes;
    }

    @Override
    public void upload(InputStream content, Address file) throws StorageException {
        checkBelowRoot(file);
        try {
            put(content.readAllBytes(), file);
        } catch (IOException problem) {
            throw Ended.failed(file + " was not written", problem);
        }
    }

    private void checkBelowRoot(Address address) throws StorageException {
        check(address);
        if (address.equals(root)) throw new StorageException(root + " is the whole storage");
    }

    /** Each file is a second newer than the one before. */
    private synchronized void put(byte[] bytes, Address file) throws StorageException {
        Held old = all.get(file);
        if (old != null && old.bytes == null) throw new StorageException(file + " is a folder");
        makeFolder(file.parent());
        now = now.plusSeconds(1);
        String md5 = hasMd5 ? Base64.getEncoder().encodeToString(Verifier.md5().digest(bytes)) : "";
        all.put(file, new Held(bytes, now, md5));
    }

    @Override
    public synchronized void makeFolder(Address folder) throws StorageException {
        check(folder);
        for (Address each = folder; !each.equals(root); each = each.parent()) {
            Held old = all.get(each);
            if (old != null && old.bytes != null)
                throw new StorageException(each + " is a file, so nothing can be below it");
        }
        for (Address each = folder; !each.equals(root); each = each.parent())
            all.putIfAbsent(each, new Held(null, now, ""));
    }

    @Override
    public void copy(Address from, Address to) throws StorageException {
        checkBelowRoot(to);
        put(bytes(from), to);
    }

    @Override
    public synchronized void delete(Address address) throws StorageException {
        checkBelowRoot(address);
        all.keySet().removeIf(each -> each.isIn(address));
    }

    @Override
    public void close() {
        // Nothing is open between calls.
    }
}
