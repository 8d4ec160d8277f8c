package dev.sluice.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.BeneficiaryView;
import dev.sluice.server.api.PastWaitView;
import dev.sluice.server.api.TaskCounts;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.api.WaitView;
import dev.sluice.server.api.WhyView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TimelineTest {

    private static final Instant SUBMITTED = Instant.parse("2026-03-01T10:00:00Z");

    private static final TaskCounts COUNTS = new TaskCounts(1, 0, 0, 1, 0, 0, 0, 0, null);

    private static final ApplicationView APPLICATION = new ApplicationView(
            "a",
            "default",
            "a",
            "root.q",
            "ada",
            List.of(),
            Map.of(),
            null,
            null,
            "Running",
            SUBMITTED,
            null,
            SUBMITTED,
            null,
            true,
            false,
            null,
            null,
            "continue",
            null,
            Map.of(),
            COUNTS,
            null);

    private static Instant at(long seconds) {
        return SUBMITTED.plusSeconds(seconds);
    }

    private static TaskView run(
            int attempt, @Nullable Instant placed, @Nullable Instant ended, String state, @Nullable String outcome) {
        return new TaskView(
                "t", state, attempt, "n", placed, placed, ended, outcome, null, null, null, null, null, null, null,
                null);
    }

    @Test
    void runs_preempted_waitAgain() {
        Timeline timeline = Timeline.of(
                APPLICATION,
                List.of(run(1, at(10), at(20), "pending", "preempted"), run(2, at(50), null, "running", null)),
                null,
                List.of(),
                at(100));
        assertThat(timeline.bars())
                .extracting(Timeline.Part::label)
                .containsExactly(
                        "t waited, 10 s",
                        "t preempted, 10 s",
                        "t waited again, after it was preempted, 30 s",
                        "t running, 50 s");
        assertThat(timeline.bars()).extracting(Timeline.Part::x).containsExactly("0.0", "100.0", "200.0", "500.0");
        assertThat(timeline.rows()).containsExactly("t", "t (run 2)");
        assertThat(timeline.ticks()).containsExactly("0 s", "25 s", "50 s", "1 min 15 s", "1 min 40 s");
    }

    @Test
    void parts_differInShape() {
        Timeline timeline = Timeline.of(
                APPLICATION,
                List.of(
                        run(1, at(10), at(20), "failed", "failed"),
                        run(2, at(50), at(60), "succeeded", "succeeded"),
                        run(3, at(70), null, "running", null)),
                null,
                List.of(),
                at(100));
        assertThat(timeline.bars())
                .filteredOn(part -> part.style().equals("waiting"))
                .isNotEmpty()
                .allMatch(part -> part.height() == 4);
        assertThat(timeline.bars())
                .filteredOn(Timeline.Part::isFailed)
                .extracting(Timeline.Part::label)
                .containsExactly("t failed, 10 s");
    }

    @Test
    void run_preempted_saysForWhichTask() {
        TaskView preempted = new TaskView(
                "t",
                "stopped",
                1,
                "n",
                at(10),
                at(10),
                at(20),
                "stopped",
                null,
                "killed",
                "priority",
                new BeneficiaryView("root.a", "b", "u-3"),
                null,
                null,
                null,
                null);
        Timeline timeline = Timeline.of(
                APPLICATION, List.of(preempted, run(2, null, null, "pending", null)), null, List.of(), at(100));
        assertThat(timeline.bars())
                .extracting(Timeline.Part::label)
                .contains("t stopped, preempted by queue root.a for task b/u-3 (killed), 10 s");
    }

    @Test
    void task_thatWaits_saysWhy() {
        WaitView reason =
                new WaitView(1, List.of("t"), "quota", "queue root.q is at its maximum", false, null, null, null, null);
        WaitView other = new WaitView(1, List.of("u"), "held", "held", false, null, null, null, null);
        Timeline timeline = Timeline.of(
                APPLICATION,
                List.of(run(0, null, null, "pending", null)),
                new WhyView("a", null, "Accepted", "waits", List.of(other, reason), null),
                List.of(),
                at(100));
        assertThat(timeline.bars())
                .extracting(Timeline.Part::label)
                .containsExactly("t waited: queue root.q is at its maximum, 100 s");
    }

    private static PastWaitView past(long from, long seen, String detail) {
        return new PastWaitView(at(from), at(seen), "quota", detail, 1);
    }

    /** The first wait was read at once; between the runs, the reason was read late, and changed. */
    @Test
    void waits_withPastReasons_areDividedByReason() {
        Timeline timeline = Timeline.of(
                APPLICATION,
                List.of(run(1, at(100), at(200), "pending", "preempted"), run(2, at(500), null, "running", null)),
                null,
                List.of(past(400, 490, "the quota"), past(300, 400, "no node"), past(8, 90, "held")),
                at(1000));
        assertThat(timeline.bars())
                .extracting(Timeline.Part::label)
                .containsExactly(
                        "t waited: held, 2026-03-01 10:00:00 UTC to 2026-03-01 10:01:40 UTC, 100 s",
                        "t preempted, 100 s",
                        "t waited again, after it was preempted, 100 s",
                        "t waited again, after it was preempted: no node,"
                                + " 2026-03-01 10:05:00 UTC to 2026-03-01 10:06:40 UTC, 100 s",
                        "t waited again, after it was preempted: the quota,"
                                + " 2026-03-01 10:06:40 UTC to 2026-03-01 10:08:20 UTC, 100 s",
                        "t running, 8 min");
        assertThat(timeline.bars())
                .extracting(Timeline.Part::x)
                .containsExactly("0.0", "100.0", "200.0", "300.0", "400.0", "500.0");
    }

    /** What was read before a wait began may have changed since, unless it held after the beginning. */
    @Test
    void wait_afterReasonOfOtherTask_hasItWhileItHeld() {
        List<TaskView> runs = List.of(run(1, at(10), at(100), "failed", "failed"), run(1, null, null, "pending", null));
        assertThat(labels(runs, past(20, 100, "for another task")))
                .contains("t waited again, after it was failed, 100 s");
        assertThat(labels(runs, past(20, 101, "for another task")))
                .contains("t waited again, after it was failed: for another task,"
                        + " 2026-03-01 10:01:40 UTC to 2026-03-01 10:03:20 UTC, 100 s");
    }

    private static List<String> labels(List<TaskView> runs, PastWaitView past) {
        return Timeline.of(APPLICATION, runs, null, List.of(past), at(200)).bars().stream()
                .map(Timeline.Part::label)
                .toList();
    }

    @Test
    void task_thatWaitsForAnotherReasonNow_saysBoth() {
        WaitView reason = new WaitView(1, List.of("t"), "held", "held", false, null, null, null, null);
        Timeline timeline = Timeline.of(
                APPLICATION,
                List.of(run(0, null, null, "pending", null)),
                new WhyView("a", null, "Accepted", "waits", List.of(reason), null),
                List.of(past(60, 70, "held first"), past(5, 60, "the quota")),
                at(100));
        assertThat(timeline.bars())
                .extracting(Timeline.Part::label)
                .containsExactly(
                        "t waited: the quota, 2026-03-01 10:00:00 UTC to 2026-03-01 10:01:00 UTC, 60 s",
                        "t waited: held, 2026-03-01 10:01:00 UTC to 2026-03-01 10:01:40 UTC, 40 s");
    }
}
