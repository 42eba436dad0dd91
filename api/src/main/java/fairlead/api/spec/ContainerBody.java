package fairlead.api.spec;

import io.avaje.jsonb.Json;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

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
 * @param pod what else a pod of the job is to have, with the words of Kubernetes: {@code metadata}
 *     and {@code spec}
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
        Boolean hostNetwork,
        @Json.Serializer(PodAdapter.class) Map<String, Object> pod) {
    public static ContainerBody of(Consumer<Edit> change) {
        return new Edit().after(change);
    }

    public ContainerBody with(Consumer<Edit> change) {
        return new Edit(this).after(change);
    }

    /** What is said of containers in the making, or about to change. A null is not said. */
    public static final class Edit {
        public String podName;
        public String shm;
        public String runAs;
        public Boolean entrypoint;
        public String pullPolicy;
        public List<String> pullSecrets;
        public String service;
        public Boolean stdin;
        public Boolean tty;
        public Boolean hostIpc;
        public Boolean hostNetwork;
        public Map<String, Object> pod;

        public Edit() {}

        public Edit(ContainerBody old) {
            podName = old.podName;
            shm = old.shm;
            runAs = old.runAs;
            entrypoint = old.entrypoint;
            pullPolicy = old.pullPolicy;
            pullSecrets = old.pullSecrets;
            service = old.service;
            stdin = old.stdin;
            tty = old.tty;
            hostIpc = old.hostIpc;
            hostNetwork = old.hostNetwork;
            pod = old.pod;
        }

        private ContainerBody after(Consumer<Edit> change) {
            change.accept(this);
            return body();
        }

        public ContainerBody body() {
            return new ContainerBody(
                    podName,
                    shm,
                    runAs,
                    entrypoint,
                    pullPolicy,
                    pullSecrets,
                    service,
                    stdin,
                    tty,
                    hostIpc,
                    hostNetwork,
                    pod);
        }
    }
}
