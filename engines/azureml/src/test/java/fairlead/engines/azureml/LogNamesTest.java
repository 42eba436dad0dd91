package fairlead.engines.azureml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class LogNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0 | 1 | user_logs/std_log.txt                                              | user_logs/std_log.txt
                    0 | 1 | system_logs/lifecycler/lifecycler.log logs/azureml/executionlogs.txt | none
                    0 | 1 | user_logs/std_log_process_00.txt user_logs/mpi_log.txt             | user_logs/std_log_process_00.txt
                    1 | 2 | user_logs/std_log_process_0.txt user_logs/std_log_process_1.txt    | user_logs/std_log_process_1.txt
                    1 | 16 | user_logs/std_log_process_11.txt user_logs/std_log_process_01.txt | user_logs/std_log_process_01.txt
                    0 | 2 | user_logs/std_log_process_0.txt user_logs/retry_001/std_log_process_0.txt | user_logs/retry_001/std_log_process_0.txt
                    0 | 1 | azureml-logs/70_driver_log.txt azureml-logs/75_job_post-tvmps_d.txt | azureml-logs/70_driver_log.txt
                    1 | 2 | azureml-logs/70_driver_log_0.txt azureml-logs/70_driver_log_1.txt  | azureml-logs/70_driver_log_1.txt
                    """)
    void eachTaskHasItsFile(int rank, int tasks, String names, String expected) {
        assertEquals(expected, LogNames.of(rank, tasks, List.of(names.split(" "))).orElse("none"));
    }
}
