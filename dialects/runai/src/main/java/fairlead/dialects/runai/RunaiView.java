package fairlead.dialects.runai;

import fairlead.api.spec.OriginBody;
import fairlead.api.view.JobView;

import java.util.List;
import java.util.Optional;

/** Jobs that start with a script of the lab, by Run:ai or from a pod file. */
public final class RunaiView implements JobView {
    @Override
    public List<String> written(List<String> command) {
        return LabScript.written(command);
    }

    @Override
    public Optional<String> config(OriginBody origin) {
        return Optional.empty();
    }
}
