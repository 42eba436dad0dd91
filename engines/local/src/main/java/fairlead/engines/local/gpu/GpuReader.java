package fairlead.engines.local.gpu;

import fairlead.cluster.Gpu;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The driver's view of the GPUs of this machine. One thread at a time; a call may take long. */
public interface GpuReader extends Closeable {
    /**
     * Memory of one GPU that one process holds.
     *
     * @param gpu any name that tells the GPUs apart
     */
    record Use(int pid, String gpu, long bytes) {}

    /** Numbered by PCI bus, which is CUDA's order only under CUDA_DEVICE_ORDER=PCI_BUS_ID. */
    List<Gpu> gpus() throws IOException;

    /** What computes now. A process whose memory the driver does not report is left out. */
    List<Use> processes() throws IOException;

    /**
     * What one GPU does.
     *
     * @param percent of the last moments in which something computed on it
     * @param bytes in use, whoever uses them
     */
    record Load(int gpu, OptionalInt percent, OptionalLong bytes) {}

    /** Of all GPUs; what the driver does not report is empty. */
    List<Load> loads() throws IOException;

    @Override
    void close();

    /** Empty when nothing on this machine knows of NVIDIA's GPUs. */
    static Optional<GpuReader> open() {
        return Nvml.open(Nvml.LIBRARY).<GpuReader>map(nvml -> nvml).or(NvidiaSmi::find);
    }
}
