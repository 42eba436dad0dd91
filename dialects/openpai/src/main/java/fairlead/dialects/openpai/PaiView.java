package fairlead.dialects.openpai;

import fairlead.api.spec.CommandAdapter;
import fairlead.api.spec.OriginBody;
import fairlead.api.view.JobView;

import java.util.List;
import java.util.Optional;

/** Jobs of OpenPAI: the command of a task is one text, which its start script evaluates. */
public final class PaiView implements JobView {
    @Override
    public List<String> written(List<String> command) {
        return StartCommand.written(command).map(CommandAdapter::shell).orElse(command);
    }

    @Override
    public Optional<String> config(OriginBody origin) {
        return Optional.empty();
    }

    /** With its user, or by its name alone where that is the caller. */
    @Override
    public List<String> keys(String word, String caller) {
        return List.of(
                PaiOrigin.DIALECT + ":" + word,
                PaiOrigin.DIALECT + ":" + PaiOrigin.key(caller, word));
    }
}
