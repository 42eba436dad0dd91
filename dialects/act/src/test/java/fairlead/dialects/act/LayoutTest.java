package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.yaml.ConfigException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.OptionalInt;

/** How many nodes and processes a job has. */
class LayoutTest {
    @TempDir Path folder;

    private ClusterConfig config(String more) throws ConfigException {
        return ConfigFolder.small(folder, more).config();
    }

    @ParameterizedTest(name = "-n {0} of {1} on a node, multi_process {2}")
    @CsvSource({
        // Wanted, GPUs on a node, multi_process, then GPUs, nodes, GPUs and processes each, MPI.
        "1,  4, true,  1,  1, 1, 1, true",
        "3,  4, true,  3,  1, 3, 3, true",
        "4,  4, true,  4,  1, 4, 4, true",
        "8,  4, true,  8,  2, 4, 4, true",
        "64, 8, true,  64, 8, 8, 8, true",
        "4,  4, false, 4,  1, 4, 1, false",
        "2,  4, false, 2,  1, 2, 1, false",
        "8,  4, false, 8,  2, 4, 1, true",
        "0,  4, true,  0,  1, 0, 1, false",
        "0,  4, false, 0,  1, 0, 1, false"
    })
    void a30a31a32NodesAndProcessesFollowFromTheGpus(
            int wanted,
            int full,
            boolean multi,
            int gpus,
            int nodes,
            int each,
            int processes,
            boolean mpi)
            throws ConfigException, Misuse {
        ClusterConfig config = config("gpu_per_node: " + full + "\nmulti_process: " + multi + "\n");
        assertEquals(
                new Layout(gpus, nodes, each, processes, mpi),
                Layout.of(config, OptionalInt.of(wanted), false));
    }

    @Test
    void a7WithoutANumberAJobHasAWholeNode() throws ConfigException, Misuse {
        assertEquals(
                new Layout(8, 1, 8, 8, true),
                Layout.of(config("gpu_per_node: 8\n"), OptionalInt.empty(), false));
    }

    @Test
    void a10SingleForcesOneProcessOnEachNode() throws ConfigException, Misuse {
        assertEquals(new Layout(8, 2, 4, 1, true), Layout.of(config(""), OptionalInt.of(8), true));
        assertEquals(new Layout(4, 1, 4, 1, false), Layout.of(config(""), OptionalInt.of(4), true));
    }

    @ParameterizedTest
    @CsvSource({"5, 4, 4 or 8", "6, 4, 4 or 8", "9, 8, 8 or 16", "15, 4, 12 or 16"})
    void a31MoreThanOneNodeIsUsedWhole(int wanted, int full, String possible)
            throws ConfigException {
        ClusterConfig config = config("gpu_per_node: " + full + "\n");
        assertEquals(
                wanted
                        + " GPUs are no multiple of gpu_per_node, which is "
                        + full
                        + " for 'aml': more than one node is used whole, so "
                        + possible
                        + " is possible",
                assertThrows(Misuse.class, () -> Layout.of(config, OptionalInt.of(wanted), false))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({"'', 100000, 25000", "process_count_per_node: 2, 20002, 10001"})
    void moreNodesThanAJobMayHaveAreToldByTheirGpus(String line, int wanted, int nodes)
            throws ConfigException {
        ClusterConfig config = config(line + "\n");
        assertEquals(
                wanted + " GPUs are " + nodes + " nodes, and a job has at most 10000",
                assertThrows(Misuse.class, () -> Layout.of(config, OptionalInt.of(wanted), false))
                        .getMessage());
    }

    @ParameterizedTest(name = "-n {0}, {1} processes on a node")
    @CsvSource({"8, 2, 8, 4, 2, 2", "4, 1, 4, 4, 1, 1", "8, 8, 4, 1, 4, 8", "16, 8, 8, 2, 4, 8"})
    void a33AGivenNumberOfProcessesSaysHowManyNodesThereAre(
            int wanted, int count, int gpus, int nodes, int each, int processes)
            throws ConfigException, Misuse {
        ClusterConfig config = config("process_count_per_node: " + count + "\n");
        assertEquals(
                new Layout(gpus, nodes, each, processes, true),
                Layout.of(config, OptionalInt.of(wanted), false));
    }

    @Test
    void a33GpusThatAreNoMultipleOfTheProcessesAreRefused() throws ConfigException {
        ClusterConfig config = config("process_count_per_node: 3\n");
        assertEquals(
                "4 GPUs are no multiple of process_count_per_node, which is 3 for 'aml'",
                assertThrows(Misuse.class, () -> Layout.of(config, OptionalInt.empty(), false))
                        .getMessage());
    }

    @ParameterizedTest(name = "-n {0}")
    @CsvSource({"4, 4, 1, 4", "3, 3, 1, 3", "6, 6, 2, 3", "5, 6, 2, 3", "8, 8, 2, 4", "9, 9, 3, 3"})
    void p24AJobOfPhillyHasAContainerForEveryFourGpus(int wanted, int gpus, int nodes, int each)
            throws ConfigException, Misuse {
        var files =
                new ConfigFolder(folder)
                        .with(
                                "aux_data/configs/philly_vc.yaml",
                                "config_param: {code_path: /hdfs/code.zip}\n");
        ClusterConfig config = files.philly().clusters().getFirst();
        assertEquals(
                new Layout(gpus, nodes, each, each, true),
                Layout.of(config, OptionalInt.of(wanted), false));
    }
}
