package fairlead.transfer;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.storage.StorageException;
import fairlead.storage.Words;
import fairlead.transfer.pack.Archive;
import fairlead.transfer.pack.Packer;
import fairlead.transfer.pack.Tree;
import fairlead.transfer.pack.ZipPatterns;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Packs a folder into the archive of a cluster's code and uploads it; what the store has of it
 * already does not travel again.
 */
final class Init {
    /** What compilers, editors and runs leave behind; the config's secrets stay here too. */
    private static final List<String> USUAL =
            List.of(
                    "/.*",
                    "/assets/",
                    "/output/",
                    "/data/",
                    "/visualization/",
                    "/wandb/",
                    "/build/",
                    "build/lib.*/",
                    "build/temp.*/",
                    "__pycache__/",
                    "*.pyc",
                    "*.o",
                    "*.so",
                    "*.egg-info/",
                    "/aux_data/configs/*account.yaml");

    private static final String ASSETS = "assets/";
    private static final Pattern LOGS =
            Pattern.compile("((?:.*?/)?assets/)[^/]+/log_status\\.yaml");

    /** A tree that changes under our hands again and again is not a state worth uploading. */
    private static final int TRIES_MAX = 3;

    private final Screen screen;
    private final Stores stores;

    Init(Screen screen, Stores stores) {
        this.screen = screen;
        this.stores = stores;
    }

    /** What of the current folder belongs to the code. */
    Tree tree(ClusterConfig config) throws Failed {
        var rules = new ArrayList<String>();
        ZipPatterns patterns = ZipPatterns.NONE;
        if (config.zipOptions().isPresent()) {
            // As the shell's star, which ACT gave to zip, passes over these.
            rules.add("/.*");
            patterns = patterns(config);
        } else {
            rules.addAll(USUAL);
        }
        // On the node their places are taken by what is mapped there.
        for (String folder : config.folders().keySet()) rules.add("/" + escaped(folder));
        return look(screen.folder(), rules, patterns);
    }

    private static Tree look(Path top, List<String> rules, ZipPatterns patterns) throws Failed {
        try {
            return Tree.of(top, rules, patterns);
        } catch (IOException problem) {
            throw Failed.refused("the code cannot be read: " + Words.of(problem));
        }
    }

    void pack(ClusterConfig config) throws Failed, StorageException {
        Stores.Place place = stores.place(config.code());
        Optional<Path> indexes = Optional.of(indexes());
        for (int attempt = 1; ; attempt++) {
            try {
                Tree tree = tree(config);
                if (attempt == 1) warn(config, tree);
                upload(place, tree, indexes, attempt == 1);
                return;
            } catch (IOException | StorageException problem) {
                if (Packer.isChange(problem) && attempt < TRIES_MAX) continue;
                if (problem instanceof StorageException own) throw own;
                throw Failed.refused("the code was not packed: " + problem.getMessage());
            }
        }
    }

    /** What nobody packs on purpose: the usual rules leave it out, but a file may have others. */
    private void warn(ClusterConfig config, Tree tree) {
        for (String assets : logFolders(tree)) {
            long logs = tree.paths().stream().filter(path -> path.startsWith(assets)).count();
            screen.say(
                    "warning: "
                            + assets.substring(0, assets.length() - 1)
                            + " goes into the code with "
                            + Sizes.files(logs)
                            + "; it is where 'query' keeps logs");
        }
        for (String path : AccountFiles.of(tree, config.file())) {
            screen.say(
                    "warning: "
                            + path
                            + " goes into the code with the account's secrets; a line in"
                            + " .fairleadignore keeps it here");
        }
    }

    /** The one at the top, and others below where a status of logs shows that they are such. */
    private static Set<String> logFolders(Tree tree) {
        var folders = new TreeSet<String>();
        for (String path : tree.paths()) {
            Matcher logs = LOGS.matcher(path);
            if (logs.matches()) folders.add(logs.group(1));
            else if (path.startsWith(ASSETS)) folders.add(ASSETS);
        }
        return folders;
    }

    /** All of another folder, as it is, in place of the code. */
    void packWhole(ClusterConfig config, Path folder) throws Failed, StorageException {
        try {
            Tree tree = look(folder, List.of(), ZipPatterns.NONE);
            upload(stores.place(config.code()), tree, Optional.empty(), false);
        } catch (IOException problem) {
            throw Failed.refused("the code was not packed: " + problem.getMessage());
        }
    }

    private static ZipPatterns patterns(ClusterConfig config) throws Failed {
        try {
            return ZipPatterns.of(config.zipOptions().orElseThrow());
        } catch (IllegalArgumentException e) {
            throw Failed.usage(config.file() + ": " + e.getMessage());
        }
    }

    private static String escaped(String name) {
        return name.replaceAll("[\\\\*?\\[ ]", "\\\\$0");
    }

    private void upload(Stores.Place place, Tree tree, Optional<Path> indexes, boolean trusts)
            throws IOException, Failed, StorageException {
        if (tree.found().isEmpty())
            throw Failed.refused(
                    "nothing in " + tree.top() + " is to be packed: everything is left out");
        for (String path : tree.strange())
            screen.say(path + " is left out: it is no file, no folder and no link");
        Archive archive;
        try (var progress = new ProgressLine(screen, "reading")) {
            archive = new Packer(indexes, tree.top(), progress::moved).pack(tree, trusts);
        }
        try (var progress = new ProgressLine(screen, place.address().name())) {
            progress.found(archive.bytes());
            progress.foundAll();
            place.storage().uploadPieces(place.address(), archive.pieces(), progress);
            progress.end();
            screen.out()
                    .println(
                            "packed %s, %s; sent %s to %s"
                                    .formatted(
                                            Sizes.files(tree.files()),
                                            Sizes.of(archive.bytes()),
                                            Sizes.of(progress.sent()),
                                            place));
        }
    }

    /** Where it is remembered which files have not changed. */
    private Path indexes() throws Failed {
        String home = screen.environment().getOrDefault("FAIRLEAD_HOME", "");
        if (!home.isEmpty()) return screen.folder().resolve(home).resolve("init");
        String caches = screen.environment().getOrDefault("XDG_CACHE_HOME", "");
        if (caches.startsWith("/")) return Path.of(caches, "fairlead", "init");
        String user = screen.environment().getOrDefault("HOME", "");
        if (user.isEmpty()) throw Failed.usage("neither FAIRLEAD_HOME nor HOME is set");
        return Path.of(user, ".cache", "fairlead", "init");
    }
}
