package fairlead.cli.act;

import fairlead.api.spec.SpecBody;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.Sas;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether the stores of a job will give its nodes what they need, before it is submitted. */
public record StoreCheck(CodeCheck code, List<FolderCheck> folders) {
    /** Looks at the stores of this job, which was made from this config. */
    public static StoreCheck of(ClusterConfig config, SpecBody spec) {
        CodeCheck code = CodeCheck.of(config, spec);
        // What does not answer is asked once and reported once.
        Optional<Store> silent =
                code.kind() == CodeCheck.Kind.UNKNOWN
                        ? Optional.of(config.code().store())
                        : Optional.empty();
        return new StoreCheck(code, FolderCheck.of(config, spec, silent));
    }

    /**
     * Before a submit: code that is missing may come while the job waits, but a key that is not
     * taken or a container that is not there ends it. What will go wrong later is best known now.
     */
    public void tell(ClusterConfig config, Session session) throws Failure {
        code.tell(config, session);
        for (FolderCheck folder : folders) {
            switch (folder.kind()) {
                case OPEN -> {}
                case REFUSED -> throw new Failure(ExitCode.REFUSED, folder.words());
                case UNKNOWN -> session.say(folder.words());
            }
        }
        tellUnwritable(config, session);
        tellEnds(config, session);
    }

    /**
     * Before a job is aborted for another in its place: only what can start will do. What this
     * machine cannot see is fine where the nodes of the old job have seen it.
     */
    void require(ClusterConfig config, ActJob old, ActJob now, Session session) throws Failure {
        if (!code.isFine(now.code().equals(old.code())))
            throw new Failure(ExitCode.REFUSED, code.withRemedy(config, session));
        for (FolderCheck folder : folders) {
            boolean isFine =
                    switch (folder.kind()) {
                        case OPEN -> true;
                        case UNKNOWN -> old.places().containsAll(folder.places());
                        case REFUSED -> false;
                    };
            if (!isFine) throw new Failure(ExitCode.REFUSED, folder.words());
        }
        tell(config, session);
    }

    private static void tellUnwritable(ClusterConfig config, Session session) {
        var unwritable = new LinkedHashMap<Store.Blob, List<String>>();
        config.folders()
                .forEach(
                        (name, mapped) -> {
                            if (!mapped.isReadOnly()
                                    && mapped.store() instanceof Store.Blob blob
                                    && !Sas.lacking(blob, "w").isEmpty()) {
                                unwritable.computeIfAbsent(blob, _ -> new ArrayList<>()).add(name);
                            }
                        });
        unwritable.forEach(
                (blob, names) ->
                        session.say(
                                "the sas_token for "
                                        + blob
                                        + " only reads: what the job writes into "
                                        + String.join(", ", names)
                                        + " will not be stored"));
    }

    private static void tellEnds(ClusterConfig config, Session session) {
        Set<Store> stores = new LinkedHashSet<>();
        stores.add(config.code().store());
        for (Mapped mapped : config.folders().values()) stores.add(mapped.store());
        for (Store store : stores) {
            if (!(store instanceof Store.Blob blob)) continue;
            Sas.endsSoon(blob, session.now())
                    .ifPresent(
                            end ->
                                    session.say(
                                            "the sas_token for "
                                                    + blob
                                                    + " ends at "
                                                    + end
                                                    + ", and with it what the job can fetch and"
                                                    + " store; with the account_key beside it"
                                                    + " submit signs one for "
                                                    + Sas.LIFETIME.toDays()
                                                    + " days"));
        }
    }
}
