package dev.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.terminal.Style;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.local.ApplicationTallies;
import dev.sluice.runtime.local.ApplicationTally;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Estimates of the end of a run on two slots. */
final class RemainingTimeTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final CheckedScheduler scheduler = new CheckedScheduler();
    private final ClusterUnderTest cluster = new ClusterUnderTest(scheduler)
            .configure(PartitionConfiguration.simplest())
            .node("n", "slots", "2");

    private @Nullable Duration left() {
        RemainingTime remaining = new RemainingTime();
        ApplicationTallies tallies = new ApplicationTallies();
        for (Event event : scheduler.journal()) {
            ApplicationTally tally = tallies.count(event);
            if (tally != null) {
                remaining.count(event, tally);
            }
        }
        Instant end = remaining.end(cluster.now());
        return end == null ? null : Duration.between(cluster.now(), end);
    }

    private void cycle() {
        List<String> unused = cluster.cycle();
    }

    @Test
    void expectedDurations_dividedByTasksAtATime() {
        cluster.submitSealed(
                "a", "root.default", TaskSpec.of("t", 10, Resources.NONE).withExpectedDuration(MINUTE));
        assertThat(left()).as("nothing runs").isNull();
        cycle();
        assertThat(left()).isEqualTo(Duration.ofMinutes(5));
        cluster.advance(Duration.ofSeconds(30));
        assertThat(left()).isEqualTo(Duration.ofSeconds(270));
        cluster.advance(Duration.ofSeconds(30)).succeed("a/t-0").succeed("a/t-1");
        cycle();
        assertThat(left()).isEqualTo(Duration.ofMinutes(4));
    }

    @Test
    void observedMean_standsForMissingExpectedDurations() {
        cluster.submitSealed("a", "root.default", TaskSpec.of("t", 6, Resources.NONE));
        cycle();
        cluster.advance(MINUTE);
        assertThat(left()).as("nothing has ended").isNull();
        cluster.succeed("a/t-0");
        assertThat(left()).as("5 of a minute, one of which runs for a minute").isEqualTo(Duration.ofMinutes(2));
        cluster.submitSealed("b", "root.default", TaskSpec.of("u", 4, Resources.NONE));
        cycle();
        assertThat(left()).as("mean of other applications").isEqualTo(Duration.ofMinutes(4));
    }

    @Test
    void longRunningTask_takesNothingFromOtherApplications() {
        cluster.submitSealed(
                        "a",
                        "root.default",
                        TaskSpec.single("t", Resources.NONE).withExpectedDuration(MINUTE))
                .submitSealed(
                        "b", "root.default", TaskSpec.of("t", 3, Resources.NONE).withExpectedDuration(MINUTE));
        cycle();
        cluster.advance(Duration.ofHours(1)).succeed("b/t-0");
        cycle();
        assertThat(left()).isEqualTo(MINUTE);
    }

    @Test
    void progress_withoutTerminal_tellsRemainingTimeEveryHalfMinute() {
        cluster.submitSealed(
                "a", "root.default", TaskSpec.of("t", 100, Resources.NONE).withExpectedDuration(MINUTE));
        cycle();
        List<String> lines = new ArrayList<>();
        Progress progress = new Progress(
                new PlainProgress(line -> lines.add(line.replaceFirst("^[0-9:]{8}  ", "")), Style.PLAIN, false, 0),
                new RunLogs(Path.of("logs")));
        int shown = 0;
        for (int i = 0; i < 3; i++) {
            List<Event> all = scheduler.journal();
            progress.committed(1, List.of(new JournalEntry(Cause.internal("test"), all.subList(shown, all.size()))));
            shown = all.size();
            cluster.advance(MINUTE.dividedBy(2 - i % 2)).succeed("a/t-" + 2 * i).succeed("a/t-" + (2 * i + 1));
            cycle();
        }

        assertThat(lines).contains("2 of 100 tasks ended, about 49 min left").anyMatch(line -> line.contains("4 of"));
    }

    @Test
    void duration_isRoundedToWholeUnits() {
        assertThat(RunDurations.rounded(Duration.ofMillis(2_100))).isEqualTo("3 s");
        assertThat(RunDurations.rounded(Duration.ofSeconds(100))).isEqualTo("2 min");
        assertThat(RunDurations.rounded(Duration.ofMinutes(127))).isEqualTo("2 h 07 min");
        Instant now = Instant.EPOCH;
        assertThat(new RunEstimate(now, now.plusSeconds(60), 0, 1).left(now)).isEqualTo("about 1 min left");
        assertThat(new RunEstimate(now, now, 0, 1).left(now)).isEmpty();
    }
}
