package fairlead.storage.hdfs;

import fairlead.storage.Access;
import fairlead.storage.Address;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;
import fairlead.storage.StorageProvider;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** Opens folders of an HDFS by Hadoop's own client, which asks the NameNode as the user. */
public final class HdfsProvider implements StorageProvider {
    static final String SCHEME = "hdfs";

    /**
     * One more try after about a second, on two levels of the client, so four in all: a restarting
     * NameNode is away for longer anyway, and whoever waits should be told soon.
     */
    private static final String TRIES_MORE = "1000,1";

    /** For a host that swallows packets; it is tried twice. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private static final int TIMEOUT_TRIES_MORE = 1;

    /**
     * Between two questions whether the end of a file has arrived, doubled each time. Hadoop begins
     * with 400 ms, which is what a small file then takes; the sum of both is about the same.
     */
    private static final Duration END_PAUSE = Duration.ofMillis(5);

    private static final int END_TRIES = 12;

    /** For one answer of a NameNode or DataNode that is there. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

    @Override
    public String scheme() {
        return SCHEME;
    }

    /** Asks the NameNode at once, so that a wrong address is noticed here. */
    @Override
    public Storage open(Address root, Access access) throws StorageException {
        if (!root.scheme().equals(SCHEME) || root.authority().isEmpty()) {
            throw new StorageException(
                    root + " does not name its NameNode; write hdfs://host:port" + root.path());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // Hadoop finds its settings and its classes by the thread's loader, which may be another.
        thread.setContextClassLoader(HdfsProvider.class.getClassLoader());
        try {
            var storage = new HdfsStorage(root, connect(root, access.user()));
            try {
                storage.stat(root);
                return storage;
            } catch (StorageException away) {
                storage.close();
                throw away;
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static DistributedFileSystem connect(Address root, String user)
            throws StorageException {
        try {
            var place = URI.create(SCHEME + "://" + root.authority());
            return (DistributedFileSystem) FileSystem.newInstance(place, configuration(), user);
        } catch (IOException problem) {
            throw HdfsWords.failed(root + " cannot be opened", root, problem);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException(root + " cannot be opened: interrupted");
        } catch (IllegalArgumentException wrong) {
            throw new StorageException(
                    root + " cannot be opened: " + HdfsWords.deepest(wrong), wrong);
        }
    }

    private static Configuration configuration() {
        var configuration = new Configuration();
        configuration.setClassLoader(HdfsProvider.class.getClassLoader());
        configuration.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
        configuration.setBoolean("dfs.client.retry.policy.enabled", true);
        configuration.set("dfs.client.retry.policy.spec", TRIES_MORE);
        configuration.setInt("ipc.client.connect.max.retries.on.timeouts", TIMEOUT_TRIES_MORE);
        configuration.setLong("ipc.client.connect.timeout", CONNECT_TIMEOUT.toMillis());
        configuration.setLong("ipc.client.rpc-timeout.ms", ANSWER_TIMEOUT.toMillis());
        configuration.setLong("dfs.client.socket-timeout", ANSWER_TIMEOUT.toMillis());
        String end = "dfs.client.block.write.locateFollowingBlock.";
        configuration.setLong(end + "initial.delay.ms", END_PAUSE.toMillis());
        configuration.setInt(end + "retries", END_TRIES);
        return configuration;
    }
}
