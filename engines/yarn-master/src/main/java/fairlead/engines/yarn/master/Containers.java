package fairlead.engines.yarn.master;

import fairlead.engines.yarn.keeper.Keeper;
import fairlead.engines.yarn.relay.Orders;
import fairlead.engines.yarn.relay.TaskOrder;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.URL;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is asked of YARN. Only the master's own thread calls, but for {@link #stop}. */
final class Containers {
    private static final String GPU = "yarn.io/gpu";

    /** A keeper moves bytes and waits. */
    private static final String KEEPER =
            "exec %s -Xmx32m -Xss256k -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"
                    + " -Xshare:auto -cp %s %s 1>%s/keeper.log 2>&1";

    private final Orders orders;
    private final AMRMClient<AMRMClient.ContainerRequest> resourceManager;
    private final NMClient nodeManagers;
    private final Map<String, LocalResource> beside = new HashMap<>();
    private final Map<Integer, AMRMClient.ContainerRequest> open = new HashMap<>();

    Containers(Configuration configuration, Orders orders, String jarAddress) throws IOException {
        this.orders = orders;
        beside.put(Orders.JAR, resource(configuration, new Path(jarAddress), false));
        if (!orders.code().isEmpty())
            beside.put(Orders.CODE, resource(configuration, new Path(orders.code()), true));
        this.resourceManager = AMRMClient.createAMRMClient();
        this.nodeManagers = NMClient.createNMClient();
        resourceManager.init(configuration);
        resourceManager.start();
        nodeManagers.init(configuration);
        // A master that goes away leaves the tasks to the next one.
        nodeManagers.cleanupRunningContainersOnStop(false);
        nodeManagers.start();
    }

    /** A file that YARN brings to each container, or an archive that it unpacks there. */
    private static LocalResource resource(Configuration configuration, Path path, boolean isArchive)
            throws IOException {
        try (var files = FileSystem.newInstance(path.toUri(), configuration)) {
            var status = files.getFileStatus(path);
            return LocalResource.newInstance(
                    URL.fromPath(files.makeQualified(path)),
                    isArchive ? LocalResourceType.ARCHIVE : LocalResourceType.FILE,
                    isArchive
                            ? LocalResourceVisibility.APPLICATION
                            : LocalResourceVisibility.PRIVATE,
                    status.getLen(),
                    status.getModificationTime());
        }
    }

    RegisterApplicationMasterResponse register(String host, int port)
            throws IOException, YarnException {
        return resourceManager.registerApplicationMaster(host, port, "");
    }

    /** Asks for a task's container: on its node, and on no other. */
    void ask(int rank) {
        TaskOrder task = orders.tasks().get(rank);
        var size = Resource.newInstance(task.memoryMegabytes(), task.cpus());
        if (task.gpus() > 0) size.setResourceValue(GPU, task.gpus());
        var request =
                AMRMClient.ContainerRequest.newBuilder()
                        .capability(size)
                        .nodes(new String[] {task.node()})
                        .relaxLocality(false)
                        .priority(Priority.newInstance(1))
                        .allocationRequestId(rank + 1L)
                        .build();
        open.put(rank, request);
        resourceManager.addContainerRequest(request);
    }

    /** The rank for which YARN gave a container; -1 for one that nobody waits for. */
    int given(Container container) {
        int rank = (int) container.getAllocationRequestId() - 1;
        var request = open.remove(rank);
        if (request == null) return -1;
        // Else it would be asked for again when the resource manager has forgotten it.
        resourceManager.removeContainerRequest(request);
        return rank;
    }

    void askNoMore() {
        open.values().forEach(resourceManager::removeContainerRequest);
        open.clear();
    }

    AllocateResponse heartbeat(float progress) throws IOException, YarnException {
        return resourceManager.allocate(progress);
    }

    void release(ContainerId container) {
        resourceManager.releaseAssignedContainer(container);
    }

    void start(int rank, Container container, String master) throws IOException, YarnException {
        var environment = new HashMap<>(orders.tasks().get(rank).setting());
        environment.put(Keeper.MASTER, master);
        environment.put(Keeper.SECRET, orders.secret());
        environment.put(Keeper.RANK, Integer.toString(rank));
        environment.put(Keeper.LOGS, ApplicationConstants.LOG_DIR_EXPANSION_VAR);
        String command =
                KEEPER.formatted(
                        orders.java(),
                        Orders.JAR,
                        Keeper.class.getName(),
                        ApplicationConstants.LOG_DIR_EXPANSION_VAR);
        nodeManagers.startContainer(
                container,
                ContainerLaunchContext.newInstance(
                        beside, environment, List.of(command), null, null, null));
    }

    /** By force. */
    void stop(ContainerId container, NodeId node) {
        try {
            nodeManagers.stopContainer(container, node);
        } catch (IOException | YarnException problem) {
            // A node that does not answer is YARN's to judge; so is a container that is gone.
            System.err.println(container + " cannot be stopped: " + problem);
        }
    }

    void unregister(boolean isSuccess, String words) throws IOException, YarnException {
        var status = isSuccess ? FinalApplicationStatus.SUCCEEDED : FinalApplicationStatus.FAILED;
        resourceManager.unregisterApplicationMaster(status, words, "");
    }
}
