package fairlead.engines.local.gpu;

import fairlead.cluster.Gpu;
import fairlead.engines.local.linux.Processes;

import java.io.IOException;

/**
 * A program that prints what the engine sees of this machine's GPUs: which there are, which
 * processes use them, and with how much memory. {@code bench/gpu/nvml.sh} runs it.
 */
public final class GpuCheck {
    private static final int MIB_SHIFT = 20;

    private GpuCheck() {}

    public static void main(String[] arguments) throws IOException {
        var driver = GpuReader.open();
        if (driver.isEmpty()) {
            System.out.println("no NVIDIA driver: neither " + Nvml.LIBRARY + " nor nvidia-smi");
            System.exit(1);
        }
        try (var reader = driver.get()) {
            System.out.println("read through " + reader.getClass().getSimpleName());
            for (Gpu gpu : reader.gpus()) {
                System.out.printf(
                        "gpu %d: %s, %d MiB%n",
                        gpu.index(), gpu.type(), gpu.memoryBytes() >> MIB_SHIFT);
            }
            for (GpuReader.Use use : reader.processes()) {
                String seen =
                        Processes.look(use.pid()).isPresent() ? "" : " (no such process here)";
                System.out.printf(
                        "process %d on gpu %s: %d MiB%s%n",
                        use.pid(), use.gpu(), use.bytes() >> MIB_SHIFT, seen);
            }
        }
    }
}
