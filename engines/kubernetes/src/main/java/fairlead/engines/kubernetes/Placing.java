package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which node a pod may go to. */
final class Placing {
    private static final Pattern TOLERATION =
            Pattern.compile(
                    "([A-Za-z0-9./_-]+)(?:=([A-Za-z0-9._-]*))?"
                            + ":(NoSchedule|PreferNoSchedule|NoExecute)");

    private Placing() {}

    /**
     * This node and no other. A wish to the cluster's scheduler, not an order past it: it still
     * judges whether there is room.
     */
    static Affinity on(String node) {
        return new AffinityBuilder()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchField()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues(node)
                .endMatchField()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .build();
    }

    /** Reads {@code key[=value]:effect}. */
    static Toleration toleration(String text) {
        var match = TOLERATION.matcher(text);
        if (!match.matches())
            throw new IllegalArgumentException(
                    "not a toleration, expected key[=value]:effect: " + text);
        var toleration = new TolerationBuilder().withKey(match.group(1)).withEffect(match.group(3));
        return match.group(2) == null
                ? toleration.withOperator("Exists").build()
                : toleration.withOperator("Equal").withValue(match.group(2)).build();
    }

    /** Whether pods with these tolerations may start in spite of the taints. */
    static boolean tolerates(List<Toleration> tolerations, List<Taint> taints) {
        return taints.stream()
                .filter(taint -> !"PreferNoSchedule".equals(taint.getEffect()))
                .allMatch(taint -> tolerations.stream().anyMatch(each -> matches(each, taint)));
    }

    private static boolean matches(Toleration toleration, Taint taint) {
        boolean isEffect =
                toleration.getEffect() == null || toleration.getEffect().equals(taint.getEffect());
        boolean isValue =
                "Exists".equals(toleration.getOperator())
                        || Optional.ofNullable(toleration.getValue())
                                .orElse("")
                                .equals(Optional.ofNullable(taint.getValue()).orElse(""));
        return isEffect && isValue && taint.getKey().equals(toleration.getKey());
    }
}
