package fairlead.transfer;

import fairlead.transfer.pack.Tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which files of a tree hold the secrets of a storage account. They are found by their text and not
 * by reading YAML: a file with a mistake in it holds the same secrets.
 */
final class AccountFiles {
    /** Account files have four lines, config files a few dozen. */
    private static final int BYTES_MAX = 64 * 1024;

    private static final Pattern SECRET = key("account_key|sas_token", "[^\\s#]");
    private static final Pattern ACCOUNT = key("account_name", "");
    private static final Pattern NAMED = key("azure_blob_config_file", "[\"']?([^\\s\"',{}#]+)");

    private AccountFiles() {}

    /** A key at the start of a line, or inside braces, and what follows its colon. */
    private static Pattern key(String names, String value) {
        return Pattern.compile("(?m)(?:^|[{,])\\s*[\"']?(?:" + names + ")[\"']?\\s*:\\s*" + value);
    }

    /**
     * Those that a config names, and those that look like one.
     *
     * @param config the file that counts, which need not be in the tree
     */
    static List<String> of(Tree tree, Path config) {
        Path top = tree.top();
        var named = new HashSet<Path>();
        addNamed(text(config), top, named);
        var found = new HashSet<String>();
        for (String path : tree.paths()) {
            boolean isAux = path.startsWith("aux_data/");
            if (!isAux && !path.endsWith(".yaml") && !path.endsWith(".yml")) continue;
            String text = text(top.resolve(path));
            addNamed(text, top, named);
            boolean hasSecret = SECRET.matcher(text).find();
            if (hasSecret && (isAux || ACCOUNT.matcher(text).find())) found.add(path);
        }
        return tree.paths().stream()
                .filter(path -> found.contains(path) || named.contains(top.resolve(path)))
                .toList();
    }

    private static void addNamed(String text, Path top, Set<Path> named) {
        for (Matcher each = NAMED.matcher(text); each.find(); )
            named.add(top.resolve(each.group(1)).normalize());
    }

    private static String text(Path file) {
        try {
            boolean isSmall = Files.isRegularFile(file) && Files.size(file) <= BYTES_MAX;
            return isSmall ? Files.readString(file) : "";
        } catch (IOException _) {
            // No text, or gone: the packing says what cannot be read.
            return "";
        }
    }
}
