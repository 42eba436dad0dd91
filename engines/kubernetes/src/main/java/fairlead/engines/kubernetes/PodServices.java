package fairlead.engines.kubernetes;

import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.ImageLogin;
import fairlead.job.JobSpec;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvFromSourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What stands beside the pods of an attempt and goes with its first one. */
record PodServices(AttemptId attempt, JobSpec spec, String namespace, OwnerReference owner) {
    /**
     * Where every cluster lets services open ports of its machines, unless it is set up otherwise.
     */
    private static final int NODE_PORT_MIN = 30_000;

    private static final int NODE_PORT_MAX = 32_767;

    /** In the order in which they are to be made; none for most jobs but the secret. */
    List<HasMetadata> all(boolean isGang) {
        var things = new ArrayList<HasMetadata>();
        if (!spec.environment().isEmpty()) things.add(secret());
        if (isGang) things.add(meeting());
        boolean isOpen = spec.container().details().service() != Container.Service.NONE;
        if (isOpen && !spec.container().ports().isEmpty()) things.add(entrance());
        return things;
    }

    private ObjectMeta meta(String name) {
        return new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(name)
                .withOwnerReferences(owner)
                .addToAnnotations(Marks.JOB, attempt.job().text())
                .build();
    }

    private HasMetadata secret() {
        return new SecretBuilder()
                .withMetadata(meta(Names.shared(attempt)))
                .withType("Opaque")
                .withStringData(spec.environment())
                .build();
    }

    /** For the machines that fetch the image; the tasks themselves do not see it. */
    HasMetadata login(ImageLogin login) {
        return new SecretBuilder()
                .withMetadata(meta(Names.login(attempt)))
                .withType("kubernetes.io/dockerconfigjson")
                .withStringData(Map.of(".dockerconfigjson", login.file()))
                .build();
    }

    /** Gives each task of a gang a name, also before it is up: they wait for each other. */
    private HasMetadata meeting() {
        return new ServiceBuilder()
                .withMetadata(meta(Names.shared(attempt)))
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(Map.of(Marks.SHARED, Names.shared(attempt)))
                .endSpec()
                .build();
    }

    private HasMetadata entrance() {
        boolean isBalanced =
                spec.container().details().service() == Container.Service.LOAD_BALANCER;
        var ports = new ArrayList<ServicePort>();
        for (Container.Port port : spec.container().ports()) {
            var each =
                    new ServicePortBuilder()
                            .withName("port-" + port.container())
                            .withPort(port.node())
                            .withTargetPort(new IntOrString(port.container()));
            boolean isOfNodes = port.node() >= NODE_PORT_MIN && port.node() <= NODE_PORT_MAX;
            if (!isBalanced && isOfNodes) each.withNodePort(port.node());
            ports.add(each.build());
        }
        return new ServiceBuilder()
                .withMetadata(meta(Names.ports(attempt)))
                .withNewSpec()
                .withType(isBalanced ? "LoadBalancer" : "NodePort")
                .withSelector(Map.of(Marks.SHARED, Names.shared(attempt), Marks.RANK, "0"))
                .withPorts(ports)
                .endSpec()
                .build();
    }

    static EnvFromSource allOf(String secret) {
        return new EnvFromSourceBuilder().withNewSecretRef(secret, false).build();
    }

    static List<ContainerPort> containerPorts(Container container) {
        return container.ports().stream()
                .map(port -> new ContainerPortBuilder().withContainerPort(port.container()).build())
                .toList();
    }

    static void runAs(PodSpec body, Container.RunAs as) {
        var context = new PodSecurityContextBuilder().withRunAsUser(as.user());
        as.group().ifPresent(context::withRunAsGroup);
        body.setSecurityContext(context.build());
    }
}
