package fairlead.transfer;

import java.util.Comparator;

/** Names as people count: {@code part9} before {@code part10}. */
final class NaturalOrder implements Comparator<String> {
    static final NaturalOrder INSTANCE = new NaturalOrder();

    private NaturalOrder() {}

    @Override
    public int compare(String left, String right) {
        int l = 0;
        int r = 0;
        while (l < left.length() && r < right.length()) {
            int order;
            if (isDigit(left.charAt(l)) && isDigit(right.charAt(r))) {
                int leftEnd = end(left, l);
                int rightEnd = end(right, r);
                order = numbers(left.substring(l, leftEnd), right.substring(r, rightEnd));
                l = leftEnd;
                r = rightEnd;
            } else {
                order = Character.compare(left.charAt(l++), right.charAt(r++));
            }
            if (order != 0) return order;
        }
        int order = Integer.compare(left.length() - l, right.length() - r);
        // So that 'a01' and 'a1' have one order, whoever comes first.
        return order != 0 ? order : left.compareTo(right);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int end(String text, int from) {
        int end = from;
        while (end < text.length() && isDigit(text.charAt(end))) end++;
        return end;
    }

    /** Of any length: longer is more, once the zeros in front are gone. */
    private static int numbers(String left, String right) {
        String l = left.replaceFirst("^0+", "");
        String r = right.replaceFirst("^0+", "");
        int order = Integer.compare(l.length(), r.length());
        return order != 0 ? order : l.compareTo(r);
    }
}
