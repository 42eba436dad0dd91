package fairlead.api;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;

/** A value for a field of a spec that no other field has. */
final class SampleValue {
    private SampleValue() {}

    static Object of(RecordComponent component) {
        String name = component.getName();
        return switch (component.getGenericType().getTypeName()) {
            case "java.lang.String" -> name;
            case "java.lang.Integer" -> name.hashCode();
            case "java.lang.Long" -> (long) name.hashCode();
            case "java.lang.Boolean" -> true;
            case "java.util.List<java.lang.String>" -> List.of(name);
            case "java.util.Map<java.lang.String, java.lang.String>" -> Map.of(name, name);
            case "java.util.List<fairlead.api.RoleBody>" -> List.of(new RoleBody.Edit().body());
            case "fairlead.api.ContainerBody" -> new ContainerBody.Edit().body();
            case "fairlead.api.TrainingBody" -> new TrainingBody.Edit().body();
            case "fairlead.api.RetryBody" -> new RetryBody(1, Map.of());
            case "fairlead.api.OriginBody" -> new OriginBody("a", "b", "c");
            default -> throw new IllegalArgumentException("no sample of " + component);
        };
    }
}
