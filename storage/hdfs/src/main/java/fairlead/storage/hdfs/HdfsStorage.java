package fairlead.storage.hdfs;

import fairlead.storage.Address;
import fairlead.storage.Entry;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A folder of an HDFS. A listing is asked for page by page. The NameNode checks what the user may
 * see and change. HDFS cannot copy by itself, so a copy goes through this machine.
 */
final class HdfsStorage implements Storage {
    private static final System.Logger LOG = System.getLogger(HdfsStorage.class.getName());

    private final Address root;
    private final DistributedFileSystem files;

    /** The file system is this object's from now on: it closes it. */
    HdfsStorage(Address root, DistributedFileSystem files) {
        this.root = root;
        this.files = files;
    }

    @Override
    public Address root() {
        return root;
    }

    @Override
    public Optional<Entry> stat(Address address) throws StorageException {
        Path path = place(address);
        try {
            return Optional.of(entry(address, files.getFileStatus(path)));
        } catch (FileNotFoundException | ParentNotDirectoryException _) {
            return Optional.empty();
        } catch (IOException problem) {
            throw failed(address + " cannot be looked at", problem);
        }
    }

    private static Entry entry(Address address, FileStatus status) {
        Instant modified = Instant.ofEpochMilli(status.getModificationTime());
        if (status.isDirectory()) return new Entry(address, Entry.Kind.FOLDER, 0, modified);
        return status.isFile()
                ? new Entry(address, Entry.Kind.FILE, status.getLen(), modified)
                : new Entry(address, Entry.Kind.OTHER, 0, modified);
    }

    @Override
    public Optional<Address> folderBehind(Address link) {
        return Optional.empty();
    }

    @Override
    public void list(Address folder, Depth depth, Visitor visitor) throws StorageException {
        Optional<Entry> top = stat(folder);
        if (top.isEmpty()) throw new StorageException("there is no " + folder);
        if (!top.get().isFolder()) throw new StorageException(folder + " is no folder");
        try {
            listFolder(folder, depth, visitor);
        } catch (IOException problem) {
            throw failed(folder + " cannot be listed", problem);
        }
    }

    private void listFolder(Address folder, Depth depth, Visitor visitor)
            throws IOException, StorageException {
        RemoteIterator<FileStatus> children = files.listStatusIterator(place(folder));
        while (children.hasNext()) {
            FileStatus status = children.next();
            String name = status.getPath().getName();
            if (name.startsWith(PART_PREFIX)) continue;
            if (!Address.isName(name)) {
                visitor.seeUnnamed(folder, name, status.getLen());
                continue;
            }
            Entry entry = entry(folder.child(name), status);
            visitor.see(entry);
            if (depth == Depth.CHILDREN || !entry.isFolder()) continue;
            try {
                listFolder(entry.address(), depth, visitor);
            } catch (FileNotFoundException vanished) {
                if (files.exists(status.getPath())) throw vanished;
            }
        }
    }

    @Override
    public InputStream download(Address file, long offset) throws StorageException {
        Path path = place(file);
        try {
            FSDataInputStream opened = files.open(path);
            try {
                // HDFS refuses to go beyond the end.
                if (offset > 0) opened.seek(Math.min(offset, files.getFileStatus(path).getLen()));
                return opened;
            } catch (IOException problem) {
                opened.close();
                throw problem;
            }
        } catch (IOException problem) {
            throw failed(file + " cannot be read", problem);
        }
    }

    @Override
    public void upload(InputStream content, Address file) throws StorageException {
        Path path = placeBelowRoot(file);
        String random = Long.toHexString(ThreadLocalRandom.current().nextLong());
        var part = new Path(path.getParent(), PART_PREFIX + random);
        boolean isLeft = false;
        try {
            refuseFolder(file);
            try (OutputStream out = files.create(part, false)) {
                isLeft = true;
                content.transferTo(out);
            }
            files.rename(part, path, Options.Rename.OVERWRITE);
            isLeft = false;
        } catch (IOException problem) {
            throw failed(file + " was not written", problem);
        } finally {
            if (isLeft) remove(part);
        }
    }

    private void refuseFolder(Address file) throws StorageException {
        if (stat(file).filter(Entry::isFolder).isPresent())
            throw new StorageException(file + " is a folder, so no file can be written there");
    }

    /** Also for a thread that is being interrupted, which would otherwise leave the part. */
    private void remove(Path part) {
        boolean isInterrupted = Thread.interrupted();
        try {
            files.delete(part, false);
        } catch (IOException problem) {
            LOG.log(System.Logger.Level.WARNING, "{0} is left over: {1}", part, problem);
        } finally {
            if (isInterrupted) Thread.currentThread().interrupt();
        }
    }

    @Override
    public void copy(Address from, Address to) throws StorageException {
        if (from.equals(to)) throw new StorageException(from + " cannot be copied onto itself");
        try (InputStream content = download(from)) {
            upload(content, to);
        } catch (IOException problem) {
            throw failed(from + " was not copied to " + to, problem);
        }
    }

    @Override
    public void makeFolder(Address folder) throws StorageException {
        Path path = place(folder);
        try {
            if (!files.mkdirs(path)) throw new StorageException(folder + " cannot be made");
        } catch (IOException problem) {
            throw failed(folder + " cannot be made", problem);
        }
    }

    @Override
    public void delete(Address address) throws StorageException {
        Path path = placeBelowRoot(address);
        try {
            files.delete(path, true);
        } catch (ParentNotDirectoryException _) {
            // Below a file there is nothing.
        } catch (IOException problem) {
            throw failed(address + " was not deleted", problem);
        }
    }

    private Path placeBelowRoot(Address address) throws StorageException {
        Path path = place(address);
        if (!address.equals(root)) return path;
        throw new StorageException(root + " is the whole storage, which stays as it is");
    }

    /** Built from parts: as one text, Hadoop would read more into some characters. */
    private Path place(Address address) throws StorageException {
        if (!address.isIn(root)) throw new StorageException(address + " is outside of " + root);
        for (String name : address.names()) {
            if (name.contains(":"))
                throw new StorageException("HDFS takes no name with a colon: " + address);
        }
        return new Path(null, null, address.path());
    }

    private StorageException failed(String what, IOException problem) {
        return HdfsWords.failed(what, root, problem);
    }

    @Override
    public void close() {
        try {
            files.close();
        } catch (IOException problem) {
            LOG.log(System.Logger.Level.WARNING, "{0} was not closed: {1}", root, problem);
        }
    }
}
