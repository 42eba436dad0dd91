package fairlead.dialects.runai;

import fairlead.api.words.Amounts;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An amount of memory as Kubernetes writes it: {@code 512Mi}, {@code 8G}, or bytes. */
final class Size {
    private static final Pattern FORM =
            Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)([KMGT]?)(i?)B?");

    /** What Run:ai gives at least of a GPU. */
    private static final long GPU_MEBIBYTES_MIN = 100;

    private Size() {}

    static boolean isSize(String text) {
        Matcher form = FORM.matcher(text.replace('k', 'K'));
        return form.matches() && (form.group(3).isEmpty() || !form.group(2).isEmpty());
    }

    /** In bytes: {@code G} is a thousand million, {@code Gi} is 1024 to the third. */
    static String bytes(Flag flag, String text) throws Misuse {
        Matcher form = matched(flag, text);
        int base = form.group(3).isEmpty() ? 1_000 : 1_024;
        return amount(form, base).setScale(0, RoundingMode.CEILING).toPlainString();
    }

    /** Of a GPU, whose makers count by 1024 whatever the unit is called. */
    static String gpuMemory(Flag flag, String text) throws Misuse {
        Matcher form = matched(flag, text);
        var mebibytes =
                amount(form, 1_024).divide(BigDecimal.valueOf(1 << 20), RoundingMode.CEILING);
        long whole = mebibytes.setScale(0, RoundingMode.CEILING).longValue();
        if (whole < GPU_MEBIBYTES_MIN) {
            throw new Misuse(
                    flag.name()
                            + " must be at least "
                            + GPU_MEBIBYTES_MIN
                            + "M, but is '"
                            + text
                            + "'");
        }
        return whole + "M";
    }

    private static Matcher matched(Flag flag, String text) throws Misuse {
        Matcher form = FORM.matcher(text.replace('k', 'K'));
        if (isSize(text) && form.matches()) return form;
        throw new Misuse(
                flag.name() + " must be a size such as 512Mi or 8G, but is '" + text + "'");
    }

    private static BigDecimal amount(Matcher form, int base) {
        return new BigDecimal(form.group(1)).multiply(Amounts.unit(form.group(2), base));
    }
}
