package fairlead.dialects.dlscheduler;

import fairlead.api.spec.OriginBody;
import fairlead.api.view.JobView;

import java.util.List;
import java.util.Optional;

/** Jobs of the Kubernetes DL scheduler: a script around the command keeps its errors. */
public final class SchedulerView implements JobView {
    @Override
    public List<String> written(List<String> command) {
        return ErrorLog.written(command);
    }

    @Override
    public Optional<String> config(OriginBody origin) {
        return Optional.empty();
    }
}
