package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * What few jobs say about the containers of their tasks. A null is left to the cluster.
 *
 * @param podName what the pod of the first task is called; a project has each name once, until the
 *     job that bears it is deleted
 * @param shm the size of {@code /dev/shm}, such as {@code 8G}
 * @param runAs the numbers of the account and, after a colon, of its group
 * @param entrypoint the image's own program runs, and the command is its arguments
 * @param pullPolicy always, if-not-present or never
 * @param pullSecrets the cluster's names of the secrets that open registries
 * @param service none, nodeport or loadbalancer: what leads from outside to the ports
 * @param stdin somebody may attach and write to the first task
 * @param tty that input is a terminal
 */
@Json
public record ContainerBody(
        String podName,
        String shm,
        String runAs,
        Boolean entrypoint,
        String pullPolicy,
        List<String> pullSecrets,
        String service,
        Boolean stdin,
        Boolean tty,
        Boolean hostIpc,
        Boolean hostNetwork) {}
