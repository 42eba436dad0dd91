package fairlead.cli.act;

import fairlead.api.spec.SpecBody;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.Place;
import fairlead.dialects.act.Sas;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether the code of a job is where its nodes will look for it, as far as this machine can tell.
 *
 * @param words what to say; empty where all is well
 */
record CodeCheck(Kind kind, String words) {
    /** What was found. */
    enum Kind {
        THERE,
        MISSING,
        /** What the code would be uploaded to is missing, and an upload does not make it. */
        NO_PLACE,
        /** The store does not take the key or signature, and would not take it from a node. */
        REFUSED,
        /** A node may see what this machine does not. */
        UNKNOWN
    }

    /** Looks at the code of this job, which was made from this config. */
    static CodeCheck of(ClusterConfig config, SpecBody spec) {
        if (config.code().store() instanceof Store.Folder(var folder)) {
            return file(folder, folder.resolve(config.code().path()));
        }
        return switch (ActOrigin.of(spec).orElseThrow().code()) {
            case Place.File(var path, _, _) -> throw new IllegalStateException("no blob: " + path);
            case Place.Blob(var url, var sas, _) ->
                    blob(
                            (Store.Blob) config.code().store(),
                            config.code().path(),
                            url,
                            spec.secrets() == null ? "" : spec.secrets().getOrDefault(sas, ""));
        };
    }

    /** A folder that this machine does not see may well be there for the nodes. */
    private static CodeCheck file(Path folder, Path code) {
        if (Files.exists(code)) return new CodeCheck(Kind.THERE, "");
        return Files.isDirectory(folder)
                ? new CodeCheck(Kind.MISSING, "the code " + code + " is not there yet")
                : new CodeCheck(
                        Kind.UNKNOWN,
                        "the folder "
                                + folder
                                + " of the code is not on this machine: the nodes must have it");
    }

    /** The signature stands in no message. */
    private static CodeCheck blob(Store.Blob store, String path, String url, String signature) {
        String name = store + "/" + path;
        if (!Sas.lacking(store, "r").isEmpty()) {
            return new CodeCheck(
                    Kind.REFUSED,
                    "the sas_token for "
                            + store
                            + " lacks the right to "
                            + FolderCheck.rights("r")
                            + ", so no job could fetch the code");
        }
        try {
            StoreQuestion answer = StoreQuestion.ask("HEAD", url + signature);
            if (answer.isAnswered()) return new CodeCheck(Kind.THERE, "");
            if (answer.hasNoContainer()) {
                return new CodeCheck(
                        Kind.NO_PLACE,
                        "the container "
                                + store
                                + " of the code is not there; make it in the portal of Azure or by"
                                + " 'az storage container create', and then upload the code");
            }
            if (answer.isMissing()) {
                return new CodeCheck(Kind.MISSING, "the code " + name + " is not there yet");
            }
            return new CodeCheck(
                    answer.isRefused() ? Kind.REFUSED : Kind.UNKNOWN,
                    answer.isRefused()
                            ? "the store of the code "
                                    + name
                                    + " refuses the account's key or signature ("
                                    + answer
                                    + "), so no job could fetch it"
                            : "the code " + name + " could not be looked at: " + answer);
        } catch (IOException | IllegalArgumentException problem) {
            return new CodeCheck(
                    Kind.UNKNOWN,
                    "the code "
                            + name
                            + " could not be looked at from here"
                            + reason(problem, signature));
        }
    }

    /** Without the signature, which an address in it may have. */
    static String reason(Exception problem, String signature) {
        String why = problem.getMessage() == null ? "" : ": " + problem.getMessage();
        return why.replace(signature.isEmpty() ? "\0" : signature, "");
    }

    void tell(ClusterConfig config, Session session) throws Failure {
        switch (kind) {
            case THERE -> {}
            case REFUSED, NO_PLACE ->
                    throw new Failure(ExitCode.REFUSED, withRemedy(config, session));
            case MISSING, UNKNOWN -> session.say(withRemedy(config, session));
        }
    }

    /**
     * Whether a job can be aborted for one with this code.
     *
     * @param isProven whether the old job has its code from the same place, so that its nodes see
     *     what this machine may not
     */
    boolean isFine(boolean isProven) {
        return switch (kind) {
            case THERE -> true;
            case UNKNOWN -> isProven;
            case MISSING, NO_PLACE, REFUSED -> false;
        };
    }

    String withRemedy(ClusterConfig config, Session session) {
        String remedy = "'" + remedy(config, session) + "'";
        return switch (kind) {
            case MISSING -> words + ": " + remedy + " makes it";
            case NO_PLACE -> words + " by " + remedy;
            case THERE, REFUSED, UNKNOWN -> words;
        };
    }

    private static String remedy(ClusterConfig config, Session session) {
        if (config.origin() == ClusterConfig.Origin.PHILLY) return "fairlead p init";
        Optional<Path> usual =
                ConfigFinder.file(
                        session.terminal().folder(),
                        session.terminal().environment(),
                        Optional.empty());
        boolean isUsual =
                usual.map(file -> file.toAbsolutePath().normalize().equals(config.file()))
                        .orElse(false);
        return "fairlead " + (isUsual ? "" : "-c " + config.name() + " ") + "init";
    }
}
