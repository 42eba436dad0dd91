package fairlead.storage.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.storage.Access;
import fairlead.storage.Address;
import fairlead.storage.Storage;
import fairlead.storage.StorageContract;
import fairlead.storage.StorageException;
import fairlead.storage.StorageProvider;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.ServiceLoader;

/** The contract on a real NameNode and DataNode, and what only an HDFS has: users, and absence. */
class HdfsStorageTest extends StorageContract {
    /** Hadoop's own limit is 1,000, which would make the tests long. */
    private static final int LISTED_AT_ONCE = 100;

    private static final String ADMIN = System.getProperty("user.name");

    @TempDir static java.nio.file.Path disk;
    private static MiniDFSCluster cluster;
    private static int tests;
    private Storage storage;

    @BeforeAll
    static void start() throws Exception {
        var configuration = new Configuration();
        configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, disk.toString());
        // The tests end with the cluster, so nothing has to reach a disk.
        configuration.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
        configuration.setInt("dfs.ls.limit", LISTED_AT_ONCE);
        cluster = new MiniDFSCluster.Builder(configuration).numDataNodes(1).build();
        cluster.waitActive();
    }

    @AfterAll
    static void stop() {
        if (cluster != null) cluster.shutdown(true);
    }

    @BeforeEach
    void open() throws Exception {
        Address root = Address.of(cluster.getURI() + "/test/root " + tests++);
        storage = new HdfsProvider().open(root, Access.as(ADMIN));
        storage.makeFolder(root);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    @Override
    protected Storage storage() {
        return storage;
    }

    @Override
    protected int manyFiles() {
        return 2 * LISTED_AT_ONCE + 50;
    }

    @Test
    void theProviderIsFoundByItsScheme() {
        var schemes =
                ServiceLoader.load(StorageProvider.class).stream()
                        .map(found -> found.get().scheme())
                        .toList();
        assertEquals(List.of("hdfs"), schemes);
    }

    @Test
    void aUserSeesAndChangesWhatTheNameNodeAllows() throws Exception {
        put("secret", "file");
        FileSystem admin = cluster.getFileSystem();
        var path = new Path(null, null, storage.root().path());
        admin.setPermission(path, new FsPermission((short) 0700));
        try (Storage asAnn = new HdfsProvider().open(storage.root(), Access.as("ann"))) {
            var refusal =
                    assertThrows(StorageException.class, () -> asAnn.download(at("file")).close());
            assertOneLine("Permission denied: user=ann", refusal);
            assertThrows(
                    StorageException.class,
                    () -> asAnn.upload(InputStream.nullInputStream(), at("mine")));
        }
        admin.setOwner(path, "ann", "ann");
        try (Storage asAnn = new HdfsProvider().open(storage.root(), Access.as("ann"))) {
            asAnn.upload(InputStream.nullInputStream(), at("mine"));
            assertEquals("ann", admin.getFileStatus(new Path(path, "mine")).getOwner());
        }
    }

    @Test
    void aNameNodeThatIsAwayIsToldInOneLineAndSoon() throws Exception {
        int port;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Instant before = Instant.now();
        var away = assertAway("hdfs://localhost:" + port + "/x");
        assertOneLine(
                "the NameNode localhost:" + port + " does not answer (Connection refused)", away);
        assertTrue(Duration.between(before, Instant.now()).toSeconds() < 20);
    }

    @Test
    void aHostThatNobodyKnowsIsToldInOneLine() throws Exception {
        assertOneLine("nowhere.invalid", assertAway("hdfs://nowhere.invalid:9000/x"));
    }

    @Test
    void anAddressWithoutANameNodeIsRefused() throws Exception {
        assertOneLine("write hdfs://host:port/x", assertAway("hdfs:/x"));
    }

    private static StorageException assertAway(String address) {
        return assertThrows(
                StorageException.class,
                () -> new HdfsProvider().open(Address.of(address), Access.as("ann")).close());
    }

    private static void assertOneLine(String words, StorageException problem) {
        String message = problem.getMessage();
        assertTrue(message.contains(words), message);
        assertEquals(1, message.lines().count(), message);
    }

    @Test
    void aNameWithAColonIsRefusedInWords() {
        var refusal = assertThrows(StorageException.class, () -> put("x", "a:b"));
        assertOneLine("no name with a colon", refusal);
    }

    @Test
    void aNameNodeThatGoesAwayIsToldInOneLine() throws Exception {
        put("x", "file");
        cluster.shutdownNameNode(0);
        try {
            var away = assertThrows(StorageException.class, () -> storage.stat(at("file")));
            assertOneLine("does not answer", away);
        } finally {
            cluster.restartNameNode(0, true);
        }
        assertEquals("x", text("file"));
    }
}
