package fairlead.transfer.pack;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A pattern for paths with the rules of git's and zip's wildcards. It takes time in proportion to
 * the pattern times the text, whatever the pattern: all ways to match are followed at once.
 */
final class Glob {
    /** Whether wildcards stop at a slash, as git's do, or run across it, as zip's do. */
    enum Slashes {
        STOP,
        CROSS
    }

    /** One step of a pattern. */
    private sealed interface Token {
        record Literal(char c) implements Token {}

        record One(boolean crosses) implements Token {}

        record Bracket(CharacterSet set, boolean crosses) implements Token {}

        /** Any number of characters, also none. */
        record Star(boolean crosses) implements Token {}

        /** The two tokens after it, a star and a slash, may be left out together. */
        record Optional() implements Token {}

        /** Malformed patterns match nothing, as in git. */
        record Never() implements Token {}
    }

    private static final int OPTIONAL_LENGTH = 3;

    private final List<Token> tokens;

    /** The whole text, or its end, where the pattern is as plain as that; null otherwise. */
    private final String exact;

    private final String end;

    /** What every text that matches begins with: mostly enough to say no. */
    private final String start;

    private Glob(List<Token> tokens) {
        this.tokens = tokens;
        this.exact = literals(0);
        var plain = new StringBuilder();
        for (Token token : tokens) {
            if (!(token instanceof Token.Literal(char c))) break;
            plain.append(c);
        }
        this.start = plain.toString();
        boolean startsWithStar = !tokens.isEmpty() && tokens.getFirst() instanceof Token.Star;
        this.end = startsWithStar ? literals(1) : null;
    }

    private String literals(int from) {
        var text = new StringBuilder();
        for (Token token : tokens.subList(from, tokens.size())) {
            if (!(token instanceof Token.Literal(char c))) return null;
            text.append(c);
        }
        return text.toString();
    }

    static Glob of(String pattern, Slashes slashes) {
        return new Glob(new Compiler(bytes(pattern), slashes == Slashes.CROSS).tokens());
    }

    /** Patterns are about bytes, as in git: a question mark is half of a letter with dots. */
    private static String bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < 0x80) continue;
            return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        }
        return text;
    }

    /** Whether everything that begins with something that matches must match as well. */
    boolean endsOpen() {
        return !tokens.isEmpty()
                && tokens.getLast() instanceof Token.Star(boolean crosses)
                && crosses;
    }

    boolean matches(String path) {
        String text = bytes(path);
        if (exact != null) return text.equals(exact);
        if (end != null && text.endsWith(end)) {
            boolean crosses = ((Token.Star) tokens.getFirst()).crosses;
            int slash = text.indexOf('/');
            return crosses || slash < 0 || slash >= text.length() - end.length();
        }
        if (end != null || !text.startsWith(start)) return false;
        var now = new boolean[tokens.size() + 1];
        reach(now, 0);
        for (int i = 0; i < text.length(); i++) {
            var next = new boolean[tokens.size() + 1];
            boolean any = false;
            for (int at = 0; at < tokens.size(); at++) {
                if (now[at]) any |= step(next, at, text.charAt(i));
            }
            if (!any) return false;
            now = next;
        }
        return now[tokens.size()];
    }

    /** Marks this place and those that need no character from here. */
    private void reach(boolean[] places, int at) {
        places[at] = true;
        if (at == tokens.size()) return;
        switch (tokens.get(at)) {
            case Token.Star _ -> reach(places, at + 1);
            case Token.Optional _ -> {
                reach(places, at + 1);
                reach(places, at + OPTIONAL_LENGTH);
            }
            case Token.Literal _, Token.One _, Token.Bracket _, Token.Never _ -> {}
        }
    }

    private boolean step(boolean[] next, int at, char c) {
        return switch (tokens.get(at)) {
            case Token.Literal(char literal) -> c == literal && reached(next, at + 1);
            case Token.One(boolean crosses) -> (crosses || c != '/') && reached(next, at + 1);
            case Token.Bracket(var set, boolean crosses) ->
                    (crosses || c != '/') && set.has(c) && reached(next, at + 1);
            case Token.Star(boolean crosses) -> (crosses || c != '/') && reached(next, at);
            case Token.Optional _, Token.Never _ -> false;
        };
    }

    private boolean reached(boolean[] places, int at) {
        reach(places, at);
        return true;
    }

    /** Reads a pattern. */
    private static final class Compiler {
        private final String pattern;
        private final boolean crosses;
        private final List<Token> tokens = new ArrayList<>();

        /** Where the first wildcard stands. */
        private final int plain;

        private int at;

        Compiler(String pattern, boolean crosses) {
            this.pattern = pattern;
            this.crosses = crosses;
            int end = 0;
            while (end < pattern.length() && "*?[\\".indexOf(pattern.charAt(end)) < 0) end++;
            this.plain = end;
        }

        List<Token> tokens() {
            while (at < pattern.length()) {
                char c = pattern.charAt(at);
                switch (c) {
                    case '*' -> stars();
                    case '?' -> add(new Token.One(crosses), 1);
                    case '[' -> bracket();
                    case '\\' -> escaped();
                    default -> add(new Token.Literal(c), 1);
                }
            }
            return tokens;
        }

        private void add(Token token, int length) {
            tokens.add(token);
            at += length;
        }

        private void escaped() {
            boolean hasNext = at + 1 < pattern.length();
            add(hasNext ? new Token.Literal(pattern.charAt(at + 1)) : new Token.Never(), 2);
        }

        private void bracket() {
            var set = CharacterSet.at(pattern, at);
            // Without its end nothing can match, so the rest need not be read.
            if (set == null) add(new Token.Never(), pattern.length());
            else add(new Token.Bracket(set, crosses), set.length());
        }

        /**
         * Two stars between slashes, or at an end, cross slashes; elsewhere they are one star. git
         * compares the plain text in front first, so stars right after that are at an end too.
         */
        private void stars() {
            int end = at;
            while (end < pattern.length() && pattern.charAt(end) == '*') end++;
            boolean startsName = at == plain || pattern.charAt(at - 1) == '/';
            boolean endsName =
                    end == pattern.length()
                            || pattern.charAt(end) == '/'
                            || pattern.startsWith("\\/", end);
            boolean isDouble = end - at > 1 && startsName && endsName;
            boolean isFolders = isDouble && end < pattern.length() && pattern.charAt(end) == '/';
            if (isFolders && !crosses) {
                tokens.add(new Token.Optional());
                tokens.add(new Token.Star(true));
                tokens.add(new Token.Literal('/'));
                at = end + 1;
            } else {
                add(new Token.Star(crosses || isDouble), end - at);
            }
        }
    }
}
