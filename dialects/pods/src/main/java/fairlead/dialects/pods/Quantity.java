package fairlead.dialects.pods;

import fairlead.api.words.Amounts;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount as Kubernetes writes it: {@code 2}, {@code 500m}, {@code 1.5Gi}, {@code 8G}, {@code
 * 1e9}.
 */
record Quantity(BigDecimal amount) {
    private static final Pattern FORM =
            Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)(?:(m|k|Ki|[MGTP]i?)|[eE](\\d{1,2}))?");
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    static Quantity of(Section section, String key) throws Misuse {
        String text = section.text(key);
        if (text == null) return null;
        Matcher form = FORM.matcher(text);
        if (form.matches()) {
            BigDecimal amount = amount(form);
            if (amount.compareTo(MOST) <= 0) return new Quantity(amount);
        }
        throw section.mistake(
                key, "must be an amount such as 2, 500m, 512Mi or 8G, but is '" + text + "'");
    }

    private static BigDecimal amount(Matcher form) {
        var number = new BigDecimal(form.group(1));
        if (form.group(3) != null) return number.scaleByPowerOfTen(Integer.parseInt(form.group(3)));
        String unit = form.group(2);
        if (unit == null) return number;
        if (unit.equals("m")) return number.movePointLeft(3);
        return number.multiply(Amounts.unit(unit, unit.endsWith("i") ? 1_024 : 1_000));
    }

    /** A part counts as a whole one. */
    long whole() {
        return amount.setScale(0, RoundingMode.CEILING).longValueExact();
    }
}
