package fairlead.job;

/** How much of each GPU a task wants. Whoever takes a whole one is alone on it. */
public sealed interface GpuPart {
    Whole WHOLE = new Whole();

    /** What a share with so many units is a part of: bytes, or thousandths below a thousand. */
    static GpuPart ofUnits(long units) {
        return units < Resources.GPU ? new Fraction((int) units) : new Memory(units);
    }

    record Whole() implements GpuPart {}

    /** A part of one GPU's memory, in thousandths. */
    record Fraction(int thousandths) implements GpuPart {
        public Fraction {
            SpecException.unless(
                    thousandths >= 1 && thousandths < 1_000,
                    "gpu",
                    "must be a whole number, or a part of one GPU between 0.001 and 0.999");
        }
    }

    /** So much of one GPU's memory, whatever the GPU has. */
    record Memory(long bytes) implements GpuPart {
        /** Run:ai's own minimum: less than this is a mistake in the unit. */
        public static final long BYTES_MIN = 100L << 20;

        public Memory {
            SpecException.unless(
                    bytes >= BYTES_MIN, "gpuMemory", "must be at least 100M, but is " + bytes);
        }
    }
}
