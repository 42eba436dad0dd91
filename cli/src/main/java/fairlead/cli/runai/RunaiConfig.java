package fairlead.cli.runai;

import fairlead.api.client.Refused;
import fairlead.api.words.Suggestion;
import fairlead.cli.job.ClusterKind;
import fairlead.cli.job.Here;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.pods.RunaiFile;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Sets the default project and cluster, and the folders that claims stand for. */
final class RunaiConfig implements Verb {
    private static final List<String> KINDS = List.of("project", "cluster", "pvc");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("runai config"),
                "project|cluster|pvc NAME [FOLDER]",
                3,
                false,
                "set the default project or cluster, or the folder that a claim stands for",
                "Kept in runai.settings beside login.json in the home ('fairlead config' shows it)."
                    + " With a pvc set,\n"
                    + "'--pvc NAME:/path' of 'runai submit' finds the folder at that path, where"
                    + " there are no\n"
                    + "containers.",
                List.of(),
                List.of(
                        Example.of(
                                "fairlead runai config project default",
                                "the project of all later verbs without -p"),
                        Example.of(
                                "fairlead runai config pvc my-data examples",
                                "now --pvc my-data:/data is this folder")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> words = arguments.operands();
        String kind = words.isEmpty() ? "" : words.getFirst();
        if (!KINDS.contains(kind)) {
            throw new UsageException(
                    "config needs one of project, cluster and pvc." + Suggestion.of(kind, KINDS));
        }
        int wanted = kind.equals("pvc") ? 3 : 2;
        if (words.size() != wanted) {
            throw new UsageException(
                    wanted == 2
                            ? "'config " + kind + "' needs a " + kind + "'s name"
                            : "'config pvc' needs a claim's name and a folder");
        }
        switch (kind) {
            case "project" -> project(words.get(1), session);
            case "cluster" -> cluster(words.get(1), session);
            default -> claim(words.get(1), words.get(2), session);
        }
        return ExitCode.OK;
    }

    private static void project(String name, Session session)
            throws UsageException, Failure, Refused, IOException {
        Runai.checkProject(name, session);
        RunaiFile.of(session).project(name);
        session.out().line("Project " + name + " has been set as default project");
    }

    private static void cluster(String name, Session session)
            throws UsageException, Failure, Refused, IOException {
        // Only one that the server has.
        new ClusterKind(session).runsImages(name);
        RunaiFile.of(session).cluster(name);
        session.out().line("Cluster " + name + " has been set as default cluster");
    }

    private static void claim(String name, String folder, Session session)
            throws UsageException, Failure, IOException {
        if (!name.matches("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?")) {
            throw new UsageException(
                    "a claim is called by lower case letters, digits, '-' and '.', but this is '"
                            + name
                            + "'");
        }
        String path = Here.of(session).path(folder);
        if (!Files.isDirectory(Path.of(path)))
            throw new UsageException("there is no folder " + path);
        if (path.matches("(?s).*[:\\n].*")) {
            throw new UsageException("the folder must have no ':' in its path, but is " + path);
        }
        RunaiFile.of(session).claim(name, path);
        session.out().line("Claim " + name + " has been set to " + path);
    }
}
