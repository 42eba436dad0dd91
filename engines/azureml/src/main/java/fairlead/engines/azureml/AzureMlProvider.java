package fairlead.engines.azureml;

import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.EngineProvider;
import fairlead.engines.azureml.rest.Cloud;
import fairlead.engines.azureml.rest.Login;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Opens the engines of computes of Azure ML for a server. */
public final class AzureMlProvider implements EngineProvider {
    @Override
    public String engine() {
        return "azureml";
    }

    @Override
    public Engine open(Place place, Map<String, String> settings) throws EngineException {
        var cloud = Cloud.named(settings.getOrDefault("cloud", "public"));
        return AzureMlEngine.open(
                new AzureMlSettings(
                        place.home(),
                        place.cluster(),
                        cloud.management(),
                        settings.get("subscription"),
                        settings.get("resource-group"),
                        settings.get("workspace"),
                        settings.get("compute"),
                        Optional.ofNullable(settings.get("image")),
                        settings.containsKey("gpus-per-node")
                                ? OptionalInt.of(Integer.parseInt(settings.get("gpus-per-node")))
                                : OptionalInt.empty(),
                        "mpi".equals(settings.get("distribution"))
                                ? AzureMlSettings.Distribution.MPI
                                : AzureMlSettings.Distribution.PYTORCH,
                        Integer.parseInt(
                                settings.getOrDefault(
                                        "queued", Integer.toString(AzureMlSettings.QUEUED))),
                        AzureMlSettings.Pace.USUAL,
                        place.logBytesMax(),
                        place.more()),
                Login.of(settings.getOrDefault("credential", "default"), cloud));
    }
}
