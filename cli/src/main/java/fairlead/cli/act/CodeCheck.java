package fairlead.cli.act;

import fairlead.api.spec.SpecBody;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.Place;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Store;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether the code of a job is where its nodes will look for it, as far as this machine can tell.
 *
 * @param words what to tell; empty where all is well
 */
public record CodeCheck(Kind kind, String words) {
    /** A store that does not answer in this time is one that the user hears of. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int NOT_FOUND = 404;
    private static final String NO_CONTAINER = "ContainerNotFound";

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
    public static CodeCheck of(ClusterConfig config, SpecBody spec) {
        if (config.code().store() instanceof Store.Folder(var folder)) {
            return file(folder, folder.resolve(config.code().path()));
        }
        return switch (ActOrigin.of(spec).orElseThrow().code()) {
            case Place.File(var path, _) -> throw new IllegalStateException("no blob: " + path);
            case Place.Blob(var url, var sas, _) ->
                    blob(
                            config.code(),
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
    private static CodeCheck blob(Mapped mapped, String url, String signature) {
        String name = mapped.store() + "/" + mapped.path();
        try {
            var address = URI.create(url + signature).toURL();
            var question = (HttpURLConnection) address.openConnection();
            question.setRequestMethod("HEAD");
            question.setRequestProperty("x-ms-version", "2019-12-12");
            question.setConnectTimeout((int) PATIENCE.toMillis());
            question.setReadTimeout((int) PATIENCE.toMillis());
            int status = question.getResponseCode();
            String code = question.getHeaderField("x-ms-error-code");
            String why = status + (code == null ? "" : " " + code);
            question.disconnect();
            if (status < 300) return new CodeCheck(Kind.THERE, "");
            if (status == NOT_FOUND && NO_CONTAINER.equals(code)) {
                return new CodeCheck(
                        Kind.NO_PLACE,
                        "the container "
                                + mapped.store()
                                + " of the code is not there; make it in the portal of Azure or by"
                                + " 'az storage container create', and then upload the code");
            }
            if (status == NOT_FOUND) {
                return new CodeCheck(Kind.MISSING, "the code " + name + " is not there yet");
            }
            boolean isRefused = status == 401 || status == 403;
            return new CodeCheck(
                    isRefused ? Kind.REFUSED : Kind.UNKNOWN,
                    isRefused
                            ? "the store of the code "
                                    + name
                                    + " refuses the account's key or signature ("
                                    + why
                                    + "), so no job could fetch it"
                            : "the code " + name + " could not be looked at: " + why);
        } catch (IOException | IllegalArgumentException problem) {
            String why = problem.getMessage() == null ? "" : ": " + problem.getMessage();
            return new CodeCheck(
                    Kind.UNKNOWN,
                    "the code "
                            + name
                            + " could not be looked at from here"
                            + why.replace(signature.isEmpty() ? "\0" : signature, ""));
        }
    }

    /**
     * Before a submit: code that is missing may come while the job waits, but a key that is not
     * taken ends it.
     */
    public void tell(ClusterConfig config, Session session) throws Failure {
        if (kind == Kind.REFUSED) throw new Failure(ExitCode.REFUSED, words);
        if (kind != Kind.THERE) session.say(withRemedy(config, session));
    }

    /**
     * Before a job is aborted for another in its place: only what can start will do.
     *
     * @param isProven whether the old job has its code from the same place, so that its nodes see
     *     what this machine may not
     */
    void require(ClusterConfig config, boolean isProven, Session session) throws Failure {
        boolean isFine =
                switch (kind) {
                    case THERE -> true;
                    case UNKNOWN -> isProven;
                    case MISSING, NO_PLACE, REFUSED -> false;
                };
        if (isFine) {
            tell(config, session);
            return;
        }
        throw new Failure(ExitCode.REFUSED, withRemedy(config, session) + "; nothing was aborted");
    }

    private String withRemedy(ClusterConfig config, Session session) {
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
