package fairlead.engines.local;

import fairlead.engine.Engine;
import fairlead.engine.EngineContract;
import fairlead.engine.EngineException;

import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The contract on processes of this machine. */
class LocalEngineTest extends EngineContract {
    @TempDir Path home;
    @TempDir Path folder;

    @Override
    protected Engine open() throws EngineException {
        return LocalEngine.open(LocalSettings.at(home).withDeclaredGpus(2));
    }

    @Override
    protected String workingFolder() {
        return folder.toString();
    }
}
