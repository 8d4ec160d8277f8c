package dev.sluice.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.simulator.workload.swf.SwfWorkload;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SortedWorkloadTest {

    @TempDir
    Path directory;

    /** Creates jobs from pairs of number and submit time. */
    private Workload workload(String... jobs) {
        StringBuilder text = new StringBuilder("; MaxProcs: 4\n");
        for (String job : jobs) {
            text.append(job).append(" -1 9 1 -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n");
        }
        return SwfWorkload.read(WorkloadTexts.write(directory, "log.swf", text.toString()))
                .value();
    }

    private static Workload inOrder(Workload workload) throws IOException {
        return SortedWorkload.of(workload, WorkloadStatistics.of(workload));
    }

    @Test
    void workload_inOrder_isNotCopied() throws IOException {
        Workload workload = workload("1 5", "2 5", "3 6");

        assertThat(inOrder(workload)).isSameAs(workload);
    }

    @Test
    void workload_outOfOrder_isSortedStably() throws IOException {
        Workload workload = workload("9 5", "3 7", "8 5", "1 x", "7 0", "2 5");
        Workload inOrder = inOrder(workload);

        for (int i = 0; i < 2; i++) {
            assertThat(WorkloadTexts.pass(inOrder).ids()).containsExactly("7", "9", "8", "2", "3");
            assertThat(WorkloadTexts.pass(inOrder).malformed())
                    .isEqualTo(WorkloadTexts.pass(workload).malformed());
        }
        assertThat(WorkloadTexts.pass(inOrder).malformed().malformed()).isOne();
        assertThat(inOrder.name()).isEqualTo("log.swf");
        assertThat(inOrder.nodes()).isEqualTo(workload.nodes()).hasSize(1);
    }

    @Test
    void workload_outOfOrderAndTooLarge_isRejected() throws IOException {
        Workload workload = workload("1 5", "2 4", "3 6");
        WorkloadStatistics statistics = WorkloadStatistics.of(workload);

        assertThat(WorkloadTexts.pass(SortedWorkload.of(workload, statistics, 3))
                        .ids())
                .containsExactly("2", "1", "3");
        assertThatThrownBy(() -> SortedWorkload.of(workload, statistics, 2).open())
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "log.swf is not sorted by submission time and has more than 2 applications, too many to sort"
                                + " in memory: sort the file");
    }
}
