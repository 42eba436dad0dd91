package fairlead.wire;

import fairlead.api.spec.RoleBody;
import fairlead.job.GpuPart;
import fairlead.job.Limits;
import fairlead.job.Resources;
import fairlead.job.SpecException;

import java.math.BigDecimal;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * How many GPUs a task wants, and how much of each: {@code gpus: 2}, {@code gpu: 0.5} or {@code
 * gpuMemory: 8G}, of which a role says one at most.
 */
public record GpuAsk(int count, GpuPart part) {
    private static final int DECIMALS_MAX = 3;

    /** Longer ones are no number of GPUs. */
    private static final int CHARACTERS_MAX = 20;

    private static final String FORM =
            "must be a whole number, or a part of one GPU between 0.001 and 0.999 with up to "
                    + DECIMALS_MAX
                    + " decimals, but is '";

    public static GpuAsk of(RoleBody body, boolean clusterHasGpus) {
        long said =
                Stream.of(body.gpus(), body.gpu(), body.gpuMemory())
                        .filter(Objects::nonNull)
                        .count();
        SpecException.unless(
                said <= 1,
                body.gpu() != null ? "gpu" : "gpuMemory",
                "only one of gpus, gpu and gpuMemory can be said");
        if (body.gpu() != null) return of(body.gpu());
        if (body.gpuMemory() != null)
            return new GpuAsk(1, new GpuPart.Memory(Units.bytes(body.gpuMemory(), "gpuMemory")));
        if (body.gpus() != null) return new GpuAsk(body.gpus(), GpuPart.WHOLE);
        boolean wantsGpu = clusterHasGpus || body.gpuType() != null;
        return new GpuAsk(wantsGpu ? 1 : 0, GpuPart.WHOLE);
    }

    private static GpuAsk of(String text) {
        BigDecimal number = number(text);
        boolean isWhole = number.stripTrailingZeros().scale() <= 0;
        boolean isPart = number.signum() > 0 && number.compareTo(BigDecimal.ONE) < 0;
        SpecException.unless(
                (isWhole || isPart && number.stripTrailingZeros().scale() <= DECIMALS_MAX)
                        && number.signum() >= 0
                        && number.compareTo(BigDecimal.valueOf(Limits.GPUS_PER_TASK_MAX)) <= 0,
                "gpu",
                FORM + text + "'");
        return isWhole
                ? new GpuAsk(number.intValueExact(), GpuPart.WHOLE)
                : new GpuAsk(1, new GpuPart.Fraction(number.movePointRight(3).intValueExact()));
    }

    private static BigDecimal number(String text) {
        boolean isNumber = text.length() <= CHARACTERS_MAX && text.matches("-?\\d*\\.?\\d+");
        SpecException.unless(isNumber, "gpu", FORM + "%.40s'".formatted(text));
        return new BigDecimal(text);
    }

    /** What {@code gpus} says; null for a part. */
    public static Integer gpus(Resources ask) {
        return ask.part() instanceof GpuPart.Whole ? ask.gpus() : null;
    }

    /** What {@code gpu} says: only for a part. */
    public static String gpu(Resources ask) {
        return ask.part() instanceof GpuPart.Fraction(int thousandths)
                ? BigDecimal.valueOf(thousandths, DECIMALS_MAX).stripTrailingZeros().toPlainString()
                : null;
    }

    /** What {@code gpuMemory} says. */
    public static String memory(Resources ask) {
        return ask.part() instanceof GpuPart.Memory(long bytes) ? Units.text(bytes) : null;
    }
}
