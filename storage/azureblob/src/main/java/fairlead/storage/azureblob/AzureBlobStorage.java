package fairlead.storage.azureblob;

import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;

import fairlead.storage.Address;
import fairlead.storage.Content;
import fairlead.storage.Entry;
import fairlead.storage.Parallel;
import fairlead.storage.Piece;
import fairlead.storage.Progress;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;
import fairlead.storage.Transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** A container of Azure Blob Storage, or a folder in it. */
final class AzureBlobStorage implements Storage {
    private static final int DELETED_AT_ONCE = 16;

    private final Address root;
    private final Account account;
    private final UrlHttpClient client;
    private final BlobContainerClient container;
    private final Calls calls;
    private final Names names;
    private final Blocks blocks;
    private final Listing listing;

    /** The HTTP client is this object's from now on: it closes it. */
    AzureBlobStorage(
            Address root,
            Account account,
            BlobServiceClient service,
            UrlHttpClient client,
            int namesPerPage) {
        this.root = root;
        this.account = account;
        this.client = client;
        this.container = service.getBlobContainerClient(root.names().getFirst());
        this.calls = new Calls(container);
        this.names = new Names(container);
        this.blocks = new Blocks(calls, account);
        this.listing = new Listing(container, names, namesPerPage);
    }

    @Override
    public Address root() {
        return root;
    }

    /**
     * Asked of the root, this shows whether the account, the container and the secret are right.
     */
    boolean isEmpty(Address folder) throws StorageException {
        String name = name(folder);
        return called(folder + " cannot be opened", () -> names.isEmpty(name));
    }

    @Override
    public Optional<Entry> stat(Address address) throws StorageException {
        String name = name(address);
        return called(address + " cannot be looked at", () -> look(address, name));
    }

    private Optional<Entry> look(Address address, String name) {
        var folder = new Entry(address, Entry.Kind.FOLDER, 0, Instant.EPOCH);
        if (name.isEmpty()) return Optional.of(folder);
        Optional<BlobProperties> blob = names.properties(name);
        if (blob.isPresent() && !Names.isMark(blob.get().getMetadata())) {
            BlobProperties seen = blob.get();
            return Optional.of(
                    new Entry(
                            address,
                            Entry.Kind.FILE,
                            seen.getBlobSize(),
                            seen.getLastModified().toInstant(),
                            base64(seen.getContentMd5()),
                            created(seen.getCreationTime())));
        }
        boolean isFolder = blob.isPresent() || !names.isEmpty(name);
        if (isFolder) names.learn(name, Entry.Kind.FOLDER);
        else names.learnAll(name);
        return isFolder || address.equals(root) ? Optional.of(folder) : Optional.empty();
    }

    /** Older stores do not say. */
    static Optional<Instant> created(OffsetDateTime time) {
        return Optional.ofNullable(time).map(OffsetDateTime::toInstant);
    }

    static String base64(byte[] bytes) {
        return bytes == null ? "" : Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public Optional<Address> folderBehind(Address link) {
        return Optional.empty();
    }

    @Override
    public void list(Address folder, Depth depth, Visitor visitor) throws StorageException {
        String name = name(folder);
        String what = folder + " cannot be listed";
        boolean isEmpty =
                called(
                        what,
                        () ->
                                depth == Depth.ALL
                                        ? listing.all(folder, name, visitor)
                                        : listing.children(folder, name, visitor));
        if (!isEmpty) return;
        Entry seen = stat(folder).orElseThrow(() -> new StorageException("there is no " + folder));
        if (!seen.isFolder()) throw new StorageException(folder + " is a file and no folder");
    }

    @Override
    public InputStream download(Address file, long offset) throws StorageException {
        String name = nameOfFile(file);
        return called(
                file + " cannot be read",
                () -> {
                    try {
                        var stream = new BlobStream(calls, account, name, offset, -1, "");
                        if (!stream.isMark()) return stream;
                        stream.close();
                        throw new StorageException(file + " is a folder and no file");
                    } catch (RuntimeException problem) {
                        boolean isBeyond = BlobWords.status(problem) == 416;
                        if (isBeyond) return InputStream.nullInputStream();
                        throw problem;
                    }
                });
    }

    @Override
    public Content content(Address file) throws StorageException {
        String name = nameOfFile(file);
        return called(
                file + " cannot be read",
                () -> {
                    BlobProperties seen = calls.blob(name).getProperties();
                    if (Names.isMark(seen.getMetadata()))
                        throw new StorageException(file + " is a folder and no file");
                    return BlobContent.of(file, calls, account, name, seen);
                });
    }

    @Override
    public void upload(InputStream content, Address file) throws StorageException {
        String name = nameOfFile(file);
        called(
                file + " was not written",
                () -> {
                    checkPlace(file, name);
                    var rest = new PushbackInputStream(content);
                    byte[] first = rest.readNBytes(Transfer.PIECE_BYTES);
                    int next = rest.read();
                    if (next < 0) {
                        calls.put(name, first);
                    } else {
                        rest.unread(next);
                        blocks.upload(name, first, rest);
                    }
                    names.learnFile(name);
                    return name;
                });
    }

    @Override
    public void uploadPieces(Address file, List<Piece> pieces, Progress progress)
            throws StorageException {
        String name = nameOfFile(file);
        called(
                file + " was not written",
                () -> {
                    checkPlace(file, name);
                    if (pieces.isEmpty()) calls.put(name, new byte[0]);
                    else blocks.upload(file, name, pieces, progress);
                    names.learnFile(name);
                    return name;
                });
    }

    /** Refuses a file where a folder is, and one below a file. */
    private void checkPlace(Address file, String name) throws StorageException {
        if (names.isFolder(name))
            throw new StorageException(file + " is a folder, so no file can be written there");
        checkAbove(file);
    }

    private void checkAbove(Address place) throws StorageException {
        for (Address above = place.parent(); above.isIn(root); above = above.parent()) {
            String name = name(above);
            if (name.isEmpty()) return;
            if (names.kind(name).filter(kind -> kind == Entry.Kind.FILE).isPresent())
                throw new StorageException(above + " is a file, so nothing can be below it");
        }
    }

    @Override
    public void makeFolder(Address folder) throws StorageException {
        String name = name(folder);
        if (folder.equals(root)) return;
        called(
                folder + " cannot be made",
                () -> {
                    checkAbove(folder);
                    Optional<Entry.Kind> there = names.kind(name);
                    if (there.filter(kind -> kind == Entry.Kind.FILE).isPresent())
                        throw new StorageException(folder + " is a file and no folder");
                    if (there.isPresent()) return name;
                    calls.putMark(name);
                    names.learn(name, Entry.Kind.FOLDER);
                    return name;
                });
    }

    @Override
    public void copy(Address from, Address to) throws StorageException {
        if (from.equals(to)) throw new StorageException(from + " cannot be copied onto itself");
        copyFrom(this, from, to);
    }

    @Override
    public void copyFrom(Storage source, Address from, Address to) throws StorageException {
        if (!(source instanceof AzureBlobStorage other)) {
            Storage.super.copyFrom(source, from, to);
            return;
        }
        String name = nameOfFile(to);
        String sourceName = other.nameOfFile(from);
        called(
                from + " was not copied to " + to,
                () -> {
                    checkPlace(to, name);
                    new Copy(calls.blob(name)).run(other.readable(sourceName));
                    names.learnFile(name);
                    return name;
                });
    }

    /** An address by which Azure itself can read a blob of ours. */
    private String readable(String name) {
        return account.key().isPresent()
                ? signed(name, Copy.SIGNED_FOR)
                : calls.blob(name).getBlobUrl() + "?" + account.sas().orElseThrow();
    }

    private String signed(String name, Duration valid) {
        BlobClient blob =
                AzureBlobProvider.signing(account, client)
                        .getBlobContainerClient(root.names().getFirst())
                        .getBlobClient(name);
        var values =
                new BlobServiceSasSignatureValues(
                        OffsetDateTime.now().plus(valid),
                        new BlobSasPermission().setReadPermission(true));
        return blob.getBlobUrl() + "?" + blob.generateSas(values);
    }

    @Override
    public URI signedUrl(Address file, Duration valid) throws StorageException {
        String name = nameOfFile(file);
        if (account.key().isEmpty()) {
            throw new StorageException(
                    "to sign an address takes the account_key of %s, which is not given; one with the sas_token itself would let its reader do all that the token allows"
                            .formatted(account.name()));
        }
        Entry seen = stat(file).orElseThrow(() -> new StorageException("there is no " + file));
        if (!seen.isFile()) throw new StorageException(file + " is a folder and no file");
        return called(file + " cannot be signed", () -> URI.create(signed(name, valid)));
    }

    @Override
    public void delete(Address address) throws StorageException {
        String name = nameOfFile(address);
        called(
                address + " was not deleted",
                () -> {
                    names.forget();
                    Optional<BlobProperties> blob = names.properties(name);
                    if (blob.isEmpty() || Names.isMark(blob.get().getMetadata())) deleteBelow(name);
                    if (blob.isPresent()) remove(name);
                    return name;
                });
        names.forget();
    }

    private void deleteBelow(String folder) throws StorageException {
        try (var files = new Parallel(DELETED_AT_ONCE)) {
            for (String name : listing.names(folder)) {
                files.start(
                        () ->
                                called(
                                        name + " was not deleted",
                                        () -> {
                                            remove(name);
                                            return name;
                                        }));
            }
            files.finish();
        }
    }

    /** Its snapshots go with it; to ask for that at once is slow where there are none. */
    private void remove(String name) {
        try {
            calls.blob(name).deleteIfExists();
        } catch (RuntimeException problem) {
            if (BlobWords.status(problem) != 409) throw problem;
            calls.blob(name)
                    .deleteIfExistsWithResponse(
                            DeleteSnapshotsOptionType.INCLUDE, null, null, Context.NONE);
        }
    }

    /** The name in the container of anything but the root. */
    private String nameOfFile(Address address) throws StorageException {
        String name = name(address);
        if (!address.equals(root)) return name;
        throw new StorageException(root + " is the whole storage, which stays as it is");
    }

    /** The name in the container; empty for the container itself. */
    @Override
    public Optional<String> refusal(String name) {
        return name.contains("\\")
                ? Optional.of("Azure takes no name with a backslash")
                : Storage.super.refusal(name);
    }

    private String name(Address address) throws StorageException {
        if (!address.isIn(root)) throw new StorageException(address + " is outside of " + root);
        if (address.path().contains("\\"))
            throw new StorageException("Azure takes no name with a backslash: " + address);
        return String.join("/", address.names().subList(1, address.names().size()));
    }

    /** Something that Azure is asked for. */
    private interface Call<T> {
        T run() throws StorageException, IOException;
    }

    private <T> T called(String what, Call<T> call) throws StorageException {
        try {
            return call.run();
        } catch (IOException | RuntimeException problem) {
            throw BlobWords.failed(what, account, problem);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
