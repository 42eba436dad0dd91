package fairlead.storage.azureblob;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to a server that is cut, a number of times, when enough bytes have gone by it. */
final class CutProxy implements AutoCloseable {
    private final ServerSocket door;
    private final int target;
    private final long cutAfter;
    private final AtomicInteger cutsLeft;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * @param cutAfter bytes in one direction of one connection
     */
    CutProxy(int target, int cuts, long cutAfter) throws IOException {
        this.target = target;
        this.cutAfter = cutAfter;
        this.cutsLeft = new AtomicInteger(cuts);
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    int cutsLeft() {
        return cutsLeft.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                var server = new Socket(InetAddress.getLoopbackAddress(), target);
                threads.execute(() -> pass(client, server));
                threads.execute(() -> pass(server, client));
            }
        } catch (IOException _) {
            // The test is over.
        }
    }

    private void pass(Socket from, Socket to) {
        var buffer = new byte[32 * 1024];
        long passed = 0;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                passed += count;
                if (passed > cutAfter && cutsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0)
                    return;
                out.write(buffer, 0, count);
            }
        } catch (IOException _) {
            // The other direction was cut.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        threads.shutdownNow();
    }
}
