package fairlead.api;

import fairlead.api.spec.AfterBody;
import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.OriginBody;
import fairlead.api.spec.RetryBody;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.TrainingBody;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;

/** A value for a field of a spec that no other field has. */
public final class SampleValue {
    private SampleValue() {}

    public static Object of(RecordComponent component) {
        String name = component.getName();
        return switch (component.getGenericType().getTypeName()) {
            case "java.lang.String" -> name;
            case "java.lang.Integer" -> name.hashCode();
            case "java.lang.Long" -> (long) name.hashCode();
            case "java.lang.Boolean" -> true;
            case "java.util.List<java.lang.String>" -> List.of(name);
            case "java.util.Map<java.lang.String, java.lang.String>" -> Map.of(name, name);
            case "java.util.Map<java.lang.String, java.lang.Object>" ->
                    Map.of(name, Map.of(name, name));
            case "java.util.List<fairlead.api.spec.RoleBody>" ->
                    List.of(new RoleBody.Edit().body());
            case "java.util.List<fairlead.api.spec.AfterBody>" ->
                    List.of(new AfterBody(name, "ended"));
            case "fairlead.api.spec.ContainerBody" -> new ContainerBody.Edit().body();
            case "fairlead.api.spec.TrainingBody" -> new TrainingBody.Edit().body();
            case "fairlead.api.spec.RetryBody" -> new RetryBody(1, Map.of());
            case "fairlead.api.spec.OriginBody" -> new OriginBody("a", "b", "c");
            default -> throw new IllegalArgumentException("no sample of " + component);
        };
    }
}
