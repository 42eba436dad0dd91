package fairlead.cli.admin;

import fairlead.api.client.Client;
import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.api.clusters.ClusterBody;
import fairlead.api.clusters.ServerBody;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Table;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Looks at a running server and at its machine, and says of each part whether it is as it should
 * be, and else what to do.
 */
final class Doctor {
    private static final String GOOD = "good";
    private static final String LOOK = "look";

    private static final long DISK_LEAST = 1L << 30;

    private final Table table = new Table();
    private boolean isWell = true;

    /**
     * @param isHere whether the server is on this machine
     */
    static Doctor look(Client client, boolean isHere) throws Unreachable, Refused, IOException {
        var doctor = new Doctor();
        ServerBody server = client.server().value();
        doctor.network(server);
        doctor.journal(server);
        for (ClusterBody cluster : server.clusters()) doctor.cluster(cluster);
        var notes = client.nodes(null).value().notes();
        if (notes == null || notes.isEmpty()) doctor.good("nodes", "nothing to say of them");
        else for (String note : notes) doctor.look("nodes", note);
        if (isHere) doctor.machine(Path.of(server.home()));
        return doctor;
    }

    String text() {
        return table.text();
    }

    /** Whether there is nothing to look at. */
    boolean isWell() {
        return isWell;
    }

    private void good(String part, String words) {
        table.row(GOOD, part, Paint.plain(words, Integer.MAX_VALUE));
    }

    private void look(String part, String words) {
        isWell = false;
        table.row(LOOK, part, Paint.plain(words, Integer.MAX_VALUE));
    }

    private void network(ServerBody server) throws IOException {
        if (server.address() != null) {
            good("port", server.address() + " for others, " + server.url() + " on its machine");
            good("tls", "the certificate " + server.fingerprint());
            return;
        }
        boolean isLoopback =
                InetAddress.getByName(URI.create(server.url()).getHost()).isLoopbackAddress();
        if (isLoopback) good("port", server.url());
        else
            look(
                    "tls",
                    server.url()
                            + " is not encrypted; take 'tls = no' out of its settings, or let a"
                            + " proxy encrypt");
    }

    private void journal(ServerBody server) {
        String check = server.journalCheck();
        if (check != null && check.startsWith("damaged"))
            look("journal", check + "; restore a copy, see docs/operations.md");
        else good("journal", check == null ? "not checked yet" : check);
        if (server.journalCopy() == null)
            look("backup", "there is no copy of the journal yet; 'fairlead server backup FILE'");
        else good("backup", server.journalCopy());
    }

    private void cluster(ClusterBody cluster) {
        String part = "cluster " + cluster.name();
        if (cluster.reachable()) good(part, cluster.engine());
        else look(part, "cannot be reached: " + cluster.trouble());
    }

    private void machine(Path home) {
        long left = home.toFile().getUsableSpace();
        String words = (left >> 20) + " MiB are left on the disk of " + home;
        if (left >= DISK_LEAST) good("disk", words);
        else look("disk", words + "; new jobs are refused before it is full");
        boolean hasGroups = Files.exists(Path.of("/sys/fs/cgroup/cgroup.controllers"));
        if (hasGroups) good("cgroups", "version 2");
        else look("cgroups", "no version 2: CPU and memory of processes are not enforced");
        if (Files.exists(Path.of("/proc/driver/nvidia/version")))
            good("driver", "NVIDIA's is here");
        else look("driver", "no NVIDIA driver: GPUs are those that --gpus declares");
        boolean isSynchronized = Files.exists(Path.of("/run/systemd/timesync/synchronized"));
        if (isSynchronized) good("clock", "synchronized");
        else
            look(
                    "clock",
                    "systemd does not say that it is synchronized; another program may do so");
    }
}
