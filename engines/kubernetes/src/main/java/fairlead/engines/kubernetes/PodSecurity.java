package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Capabilities;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.SeccompProfile;
import io.fabric8.kubernetes.api.model.SecurityContext;

import java.util.ArrayList;
import java.util.List;

/**
 * What a namespace that enforces PodSecurity {@code restricted} asks of pods. Elsewhere images run
 * as they always did: many of them start as root.
 */
final class PodSecurity {
    /** Of tasks that name no account, in images that would start as root. */
    private static final long USER = 1000;

    private PodSecurity() {}

    static boolean asksForIt(String refusal) {
        return refusal.contains("violates PodSecurity \"restricted");
    }

    /** The same pod with what is missing; what it says itself stays. */
    static Pod restricted(Pod wanted) {
        Pod pod = new PodBuilder(wanted).build();
        var spec = pod.getSpec();
        if (spec.getSecurityContext() == null) spec.setSecurityContext(new PodSecurityContext());
        var context = spec.getSecurityContext();
        if (context.getRunAsNonRoot() == null) context.setRunAsNonRoot(true);
        if (context.getRunAsUser() == null) context.setRunAsUser(USER);
        if (context.getFsGroup() == null) context.setFsGroup(context.getRunAsUser());
        if (context.getSeccompProfile() == null)
            context.setSeccompProfile(new SeccompProfile(null, "RuntimeDefault"));
        var containers = new ArrayList<Container>(spec.getContainers());
        if (spec.getInitContainers() != null) containers.addAll(spec.getInitContainers());
        containers.forEach(PodSecurity::restrict);
        return pod;
    }

    private static void restrict(Container container) {
        if (container.getSecurityContext() == null)
            container.setSecurityContext(new SecurityContext());
        var context = container.getSecurityContext();
        if (context.getAllowPrivilegeEscalation() == null)
            context.setAllowPrivilegeEscalation(false);
        if (context.getCapabilities() == null)
            context.setCapabilities(new Capabilities(List.of(), List.of("ALL")));
    }
}
