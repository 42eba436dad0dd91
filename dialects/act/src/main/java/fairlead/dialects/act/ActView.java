package fairlead.dialects.act;

import fairlead.api.spec.OriginBody;
import fairlead.api.view.JobView;

import java.util.List;
import java.util.Optional;

/** Jobs of ACT and Philly: their commands are as written, and they have a config file. */
public final class ActView implements JobView {
    @Override
    public List<String> written(List<String> command) {
        return command;
    }

    @Override
    public Optional<String> config(OriginBody origin) {
        return ActOrigin.of(origin).map(ActJob::config);
    }
}
