package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.UsageQuery;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.api.BeneficiaryView;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.http.Json;
import dev.sluice.server.routes.StoredTaskHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the history says of runs that were preempted for other tasks. */
final class PreemptedRunsTest {

    /** What every run has used. */
    private MeasuredUse used = MeasuredUse.NONE;

    private final ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
    private final MemoryStore store = new MemoryStore();
    private final HistoryWriter history =
            new HistoryWriter(Json.mapper(), cluster.scheduler().state(), 0, run -> used);
    private long sequence;

    PreemptedRunsTest() {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a    guaranteed(vcore 2)
                └─ b
                """)).node("n", "vcore", "2");
        cluster.submit("v", "root.b", cores(2, 1)).cycle();
        cluster.startAll().submit("x", "root.a", cores(1, 2)).cycle();
        cluster.advance(Duration.ofSeconds(30)).cycle();
    }

    private static TaskSpec cores(int count, int cores) {
        return TaskSpec.of("t", count, Resources.parse("vcore", String.valueOf(cores)));
    }

    /** Writes the events of the last step to the history. */
    private void record() throws Exception {
        List<HistoryRecord> records = new ArrayList<>();
        for (Event event : cluster.events()) {
            records.addAll(history.record(
                    ++sequence, Cause.CYCLE, event, cluster.scheduler().state()));
        }
        store.appendHistory(records);
    }

    private TaskView last(String task) {
        return new StoredTaskHistory(store)
                .lastRun("default", "v", cluster.application("v").submitted(), task);
    }

    @Test
    void run_preempted_namesQueueAndTask() throws Exception {
        record();
        cluster.fail("v/t-0");
        record();

        assertThat(last("t-0").stopReason()).isEqualTo("guarantee");
        assertThat(last("t-0").preemptedFor()).isEqualTo(new BeneficiaryView("root.a", "x", "t-0"));
    }

    @Test
    void run_preemptedThenStoppedByUser_namesNoTask() throws Exception {
        record();
        cluster.stop("v/t-0");
        record();
        cluster.fail("v/t-0");
        record();

        assertThat(last("t-0").stopReason()).isEqualTo("stopped");
        assertThat(last("t-0").preemptedFor()).isNull();
    }

    /** What it uses while it ends is compared with no allocation, so it is not part of reports of usage. */
    @Test
    void run_preempted_countsProcessorTimeUntilItReleasesItsResources() throws Exception {
        used = new MeasuredUse(Duration.ofSeconds(7), 1L, 2L);
        record();
        used = new MeasuredUse(Duration.ofSeconds(9), null, 3L);
        cluster.fail("v/t-0");
        record();

        List<@Nullable Long> cpuNanos = new ArrayList<>();
        store.usage(
                new UsageQuery("default", Instant.MIN, Instant.MAX, Long.MAX_VALUE, false),
                (account, node, placed, released, waited, end, cpu) -> cpuNanos.add(cpu));
        assertThat(cpuNanos).contains(7_000_000_000L, (Long) null).doesNotContain(9_000_000_000L);
        assertThat(last("t-0").cpuSeconds()).isEqualTo(9);
        assertThat(last("t-0").memoryPeak()).isEqualTo(3);
    }
}
