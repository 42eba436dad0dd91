package fairlead.cli.help;

import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Table;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A page of Markdown for a terminal. It knows what our pages use: headings, paragraphs, lists,
 * tables, code and links; anything else stays as it was written.
 */
public final class PageText {
    private static final Pattern IMAGE = Pattern.compile("!\\[[^]]*]\\([^)]*\\)");
    private static final Pattern WEB_LINK = Pattern.compile("\\[([^]]+)]\\((https?://[^)]+)\\)");
    private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\([^)]+\\)");
    private static final Pattern BOLD = Pattern.compile("\\*\\*([^*]+)\\*\\*");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern RULE = Pattern.compile("\\|[-:| ]+\\|");

    /** A bar inside of code does not end a cell; in a page it is written with a backslash. */
    private static final Pattern CELL_END = Pattern.compile("(?<!\\\\)\\|");

    private static final Pattern ITEM = Pattern.compile("(\\s*)([-*]|\\d+\\.) +(.*)");
    private static final String FENCE = "```";
    private static final String CODE_INDENT = "    ";

    private final Paint paint;
    private final int width;
    private final StringBuilder text = new StringBuilder();

    /** Lines of a paragraph or of an item that have not been written yet. */
    private final StringBuilder open = new StringBuilder();

    private String first = "";
    private String rest = "";

    private PageText(Paint paint, int width) {
        this.paint = paint;
        this.width = width;
    }

    public static String of(String markdown, Paint paint, int width) {
        var page = new PageText(paint, width);
        page.write(markdown.lines().toList());
        return page.text.toString().strip() + "\n";
    }

    private void write(List<String> lines) {
        boolean isCode = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.strip().startsWith(FENCE)) {
                close();
                isCode = !isCode;
            } else if (isCode || open.isEmpty() && line.startsWith(CODE_INDENT)) {
                String code = isCode ? CODE_INDENT + line : line;
                text.append(code.stripTrailing()).append('\n');
            } else if (line.startsWith("|")) {
                close();
                int end = i;
                while (end < lines.size() && lines.get(end).startsWith("|")) end++;
                table(lines.subList(i, end));
                i = end - 1;
            } else {
                prose(line);
            }
        }
        close();
    }

    private void prose(String line) {
        var item = ITEM.matcher(line);
        if (line.isBlank()) {
            close();
            if (!text.toString().endsWith("\n\n")) text.append('\n');
        } else if (line.startsWith("#")) {
            close();
            text.append(paint.bold(words(line.replaceFirst("^#+ *", "")))).append('\n');
        } else if (item.matches()) {
            close();
            first = item.group(1) + item.group(2) + " ";
            rest = " ".repeat(first.length());
            open.append(item.group(3));
        } else {
            open.append(open.isEmpty() ? "" : " ").append(line.strip());
        }
    }

    private void close() {
        if (!open.isEmpty()) wrap(words(open.toString()), first, rest);
        open.setLength(0);
        first = "";
        rest = "";
    }

    /** As columns where they fit, otherwise each row as its first cell and the others below it. */
    private void table(List<String> lines) {
        var rows = new ArrayList<String[]>();
        for (String line : lines) if (!RULE.matcher(line.strip()).matches()) rows.add(cells(line));
        var columns = new Table();
        for (String[] row : rows) columns.row(row);
        String wide = columns.text();
        if (wide.lines().allMatch(line -> Paint.width(line) <= width)) {
            text.append(wide);
            return;
        }
        String[] titles = rows.getFirst();
        for (String[] row : rows.subList(1, rows.size())) {
            wrap(paint.bold(row[0]), "", "");
            for (int i = 1; i < row.length; i++) {
                // Of two columns the second speaks for itself.
                String title = row.length > 2 && i < titles.length ? titles[i] + ": " : "";
                if (!row[i].isEmpty()) wrap(title + row[i], CODE_INDENT, CODE_INDENT);
            }
        }
    }

    private String[] cells(String line) {
        String inner = line.strip().replaceFirst("^\\|", "").replaceFirst("\\|$", "");
        String[] cells = CELL_END.split(inner, -1);
        for (int i = 0; i < cells.length; i++)
            cells[i] = words(cells[i].replace("\\|", "|").strip());
        return cells;
    }

    /** Without what only a browser can show. */
    private String words(String markdown) {
        String words = IMAGE.matcher(markdown).replaceAll("");
        words = WEB_LINK.matcher(words).replaceAll("$1 ($2)");
        words = LINK.matcher(words).replaceAll("$1");
        words = BOLD.matcher(words).replaceAll(found -> quoted(paint.bold(found.group(1))));
        return CODE.matcher(words).replaceAll(found -> quoted(paint.bold(found.group(1))));
    }

    private static String quoted(String replacement) {
        return java.util.regex.Matcher.quoteReplacement(replacement);
    }

    private void wrap(String words, String begin, String next) {
        var line = new StringBuilder(begin);
        boolean isEmpty = true;
        for (String word : words.split(" +")) {
            if (!isEmpty && Paint.width(line.toString()) + 1 + Paint.width(word) > width) {
                text.append(line).append('\n');
                line = new StringBuilder(next);
                isEmpty = true;
            }
            line.append(isEmpty ? "" : " ").append(word);
            isEmpty = false;
        }
        text.append(line).append('\n');
    }
}
