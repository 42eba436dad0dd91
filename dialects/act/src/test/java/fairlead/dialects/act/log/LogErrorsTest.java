package fairlead.dialects.act.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** The error codes of ACT, from the lines that mean them. */
class LogErrorsTest {
    private static String result(List<String> lines) {
        var errors = new LogErrors();
        errors.begin("log.txt");
        lines.forEach(errors::line);
        return errors.result();
    }

    @ParameterizedTest(name = "A61 {1}: {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "unzip:  cannot find or open /mnt/code.zip | CodeNotAvail",
                "fairlead: the code is not available: there is no /d/code.zip | CodeNotAvail",
                "FileNotFoundError: [Errno 2] No such file or directory: 'x' | FileNotFound",
                "RuntimeError: CUDA out of memory. Tried to allocate 2 GiB | OOM",
                "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried | OOM",
                "    raise RuntimeError('NaN encountered!') | NaN",
                "ModuleNotFoundError: No module named 'apex' | ModuleErr",
                "RuntimeError: CUDA error: uncorrectable ECC error encountered | cuda,ECC",
                "RuntimeError: CUDA driver initialization failed, you might not | Init",
                "RuntimeError: NCCL: unhandled cuda error, 2.4.8 | cuda",
                "an illegal memory access was encountered | illegal_access",
                "[Rank 3] Watchdog caught collective operation timeout: Work | NCCLTimeout",
                "OSError: [Errno 5] Input/output error | blobIO",
                "OSError: [Errno 28] No space left on device: '/tmp/x' | NoSpace",
                "fairlead: not enough space on this node: http://a/b/ has 5.0 kB, but only |"
                        + " NoSpace",
                "fairlead: the code c is refused: not enough space on this node: it | NoSpace",
                "fairlead: cannot read a: [Errno 28] No space left on device | NoSpace",
                "fairlead: output could not be stored: [Errno 122] Disk quota exceeded | NoSpace",
                "OSError: [Errno 24] Too many open files | TooMany",
                "Got async event : local catastrophic error | IBError",
                "ORTE has lost communication with a remote daemon. | ORTE_comm",
                "NCCL WARN Call to ibv_modify_qp failed with error Invalid argument | IBVModifyQP",
                "loss: 0.4821 (0.4971), no error | ''",
            })
    void a61EachCauseHasItsCode(String line, String code) {
        assertEquals(code.equals("''") ? "" : code, result(List.of("epoch 1", line, "end")));
    }

    @Test
    void a61AFailureBeforeTheProcessesHaveMetIsOfTheStart() {
        String barrier = "    _default_pg.barrier()";
        assertEquals("Init", result(List.of(barrier, "RuntimeError: CUDA out of memory")));
        assertEquals("Init", result(List.of(barrier, "RuntimeError: Connection reset by peer")));
        assertEquals(
                "init_access",
                result(List.of(barrier, "an illegal memory access was encountered")));
        assertEquals("", result(List.of("RuntimeError: Connection reset by peer")));
    }

    @Test
    void a61AnotherFilesLinesSayNothingAboutThisOne() {
        var errors = new LogErrors();
        errors.begin("a");
        errors.line("_default_pg.barrier()");
        errors.begin("b");
        errors.line("RuntimeError: CUDA out of memory");
        assertEquals("OOM", errors.result());
        assertEquals(
                new LogErrors.Sight("OOM", "b", 1, "RuntimeError: CUDA out of memory"),
                errors.sights().getFirst());
    }

    @Test
    void a61AHangIsSeenInTheLinesOfOurNodesToo() {
        var errors = new LogErrors();
        for (int i = 0; i < 129; i++) {
            assertEquals("", errors.result());
            errors.line("fairlead: GPUs: 0, 100 %, 9 MiB, 99 MiB; 1, 100 %, 9 MiB, 99 MiB");
        }
        assertEquals("Hang", errors.result());
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 129})
    void a61AllGpusBusyInMoreThan128SamplesIsAHang(int samples) {
        var lines = new java.util.ArrayList<String>();
        lines.add("[{'mem_used': 1, 'gpu_util': 100}, {'mem_used': 1, 'gpu_util': 99}]");
        for (int i = 0; i < samples; i++)
            lines.add("[{'mem_used': 1, 'gpu_util': 100}, {'mem_used': 1, 'gpu_util': 100}]");
        assertEquals(samples > 128 ? "Hang" : "", result(lines));
    }

    @Test
    void a61SeveralCodesAreJoinedByCommas() {
        assertEquals(
                "OOM,ModuleErr",
                result(
                        List.of(
                                "RuntimeError: CUDA out of memory",
                                "No module named 'x'",
                                "CUDA error: out of memory".substring(5))));
    }

    @Test
    void a62SomeCausesAreWorthAnotherTry() {
        for (String code : "ECC init_access waiting Init before ORTE_comm init blobIO".split(" "))
            assertTrue(LogErrors.isRetriable(code), code);
        for (String code : "NoSpace NCCLTimeout NCCLSocket IBVModifyQP".split(" "))
            assertTrue(LogErrors.isRetriable(code), code);
        assertFalse(LogErrors.isRetriable("OOM"));
        assertFalse(LogErrors.isRetriable("FileNotFound"));
    }
}
