package dev.sluice.server.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.RunEnd;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.UsageQuery;
import dev.sluice.server.store.StoreOptions;
import dev.sluice.server.store.Stores;
import dev.sluice.server.usage.UsageTally.Dimension;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Usage from kept sums equals usage from the whole history, however often it is asked for. */
@Tag("slow")
final class KeptUsageTest {

    private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration STEP = Duration.ofMinutes(30);
    private static final int RUNS = 400;
    private static final String PARTITION = "default";

    private final Random random = new Random(7);
    private final List<HistoryRecord.RunUsage> runs = new ArrayList<>();
    private final List<Instant> begins = new ArrayList<>();
    private JournalStore stored;
    private JournalStore store;
    private int written;

    @BeforeEach
    void open(@TempDir Path folder) throws StoreException {
        stored = Stores.open(folder, StoreOptions.DEFAULT);
        store = (JournalStore) Proxy.newProxyInstance(
                JournalStore.class.getClassLoader(),
                new Class<?>[] {JournalStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("usage")) {
                        begins.add(((UsageQuery) arguments[0]).from());
                    }
                    try {
                        return method.invoke(stored, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        Instant released = FROM.minusSeconds(600);
        for (int i = 1; i <= RUNS; i++) {
            released = released.plusMillis(random.nextInt(200_000));
            runs.add(new HistoryRecord.RunUsage(
                    i,
                    new RunAccount(
                            PARTITION,
                            "root.q" + random.nextInt(3),
                            "u" + random.nextInt(2),
                            "a" + random.nextInt(5),
                            new TreeMap<>(Map.of("vcore", 1_000L * (1 + random.nextInt(3))))),
                    "n" + random.nextInt(2),
                    released.minusMillis(random.nextInt(4_000_000)),
                    released,
                    Duration.ofMillis(random.nextInt(100_000)),
                    random.nextInt(5) == 0 ? RunEnd.FAILED : RunEnd.SUCCEEDED,
                    random.nextInt(3) == 0 ? null : Duration.ofNanos(random.nextLong(5_000_000_000_000L))));
        }
    }

    @AfterEach
    void close() {
        stored.close();
    }

    /** Writes the runs that have ended by this instant, and returns the others that have been allocated. */
    private RunningRuns at(Instant now) throws StoreException {
        List<HistoryRecord> ended = new ArrayList<>();
        while (written < RUNS && !runs.get(written).released().isAfter(now)) {
            ended.add(runs.get(written++));
        }
        stored.appendHistory(ended);
        List<RunningRuns.RunningRun> running = runs.subList(written, RUNS).stream()
                .filter(run -> run.placed().isBefore(now))
                .map(run -> new RunningRuns.RunningRun(run.account(), run.node(), run.placed(), run.waited()))
                .toList();
        return new RunningRuns(now, written, running);
    }

    private static String text(Collection<UsageTally.Group> groups) {
        StringBuilder text = new StringBuilder();
        for (UsageTally.Group group : groups) {
            text.append(group.key())
                    .append(group.amounts())
                    .append(group.runNanos())
                    .append(List.of(group.cpuNanos(), group.measuredAmount()))
                    .append(' ')
                    .append(List.of(group.tasks(), group.runs(), group.failures(), group.running()))
                    .append(' ')
                    .append(List.of(
                            group.waits().count(),
                            group.waits().quantile(0.5),
                            group.waits().quantile(0.9)))
                    .append('\n');
        }
        return text.toString();
    }

    private Collection<UsageTally.Group> direct(List<Dimension> by, Instant from, Instant to, RunningRuns running)
            throws StoreException {
        UsageTally tally = new UsageTally(by, from, to, 1_000);
        stored.usage(new UsageQuery(PARTITION, from, to, running.last(), by.contains(Dimension.NODE)), tally::add);
        tally.add(running);
        return tally.groups();
    }

    @Test
    void report_askedAgain_readsOnlyLaterRunsAndIsExact() throws StoreException {
        UsageReports reports = new UsageReports(store);
        Instant now = FROM.plus(Duration.ofHours(3));
        for (int i = 0; i < 12; i++) {
            now = now.plusMillis(random.nextInt(3_000_000));
            RunningRuns running = at(now);
            for (List<Dimension> by :
                    List.of(List.of(Dimension.QUEUE), List.<Dimension>of(), List.of(Dimension.NODE, Dimension.USER))) {
                assertThat(text(reports.groups(PARTITION, by, FROM, now, running, 1_000)))
                        .as("by %s at %s", by, now)
                        .isEqualTo(text(direct(by, FROM, now, running)));
            }
        }
        assertThat(begins).hasSize(36);
        assertThat(begins.subList(0, 3)).containsOnly(FROM);
        assertThat(begins.subList(3, 36)).doesNotContain(FROM);
    }

    @Test
    void report_ofShortOrPassedInterval_isReadEachTime() throws StoreException {
        UsageReports reports = new UsageReports(store);
        Instant now = FROM.plus(Duration.ofHours(5));
        RunningRuns running = at(now);
        Instant late = now.minusSeconds(60);
        for (int i = 0; i < 2; i++) {
            assertThat(text(reports.groups(PARTITION, List.of(Dimension.QUEUE), late, now, running, 1_000)))
                    .isEqualTo(text(direct(List.of(Dimension.QUEUE), late, now, running)));
            assertThat(text(reports.groups(PARTITION, List.of(Dimension.QUEUE), FROM, late, running, 1_000)))
                    .isEqualTo(text(direct(List.of(Dimension.QUEUE), FROM, late, running)));
        }
        assertThat(begins).containsExactly(late, FROM, late, FROM);
    }

    @Test
    void steps_askedAgain_readOnlyTheLastOnesAndAreExact() throws StoreException {
        UsageSteps steps = new UsageSteps(store);
        for (int i = 4; i <= 8; i++) {
            Instant now = FROM.plus(STEP.multipliedBy(i)).plusSeconds(100);
            RunningRuns running = at(now);
            List<UsageSteps.Step> found = steps.steps(PARTITION, FROM, STEP, 100, running);
            assertThat(found).hasSize(i + 1);
            for (UsageSteps.Step step : found) {
                for (UsageTally.Group group : direct(List.of(Dimension.QUEUE), step.from(), step.to(), running)) {
                    assertThat(step.sum(group.key().get(0)).resources())
                            .as("%s from %s", group.key(), step.from())
                            .isEqualTo(ResourceHours.of(group).resources());
                }
            }
            assertThat(found.get(0).sum(null).runs())
                    .isEqualTo(found.get(0).sum("root").runs())
                    .isPositive();
            assertThat(found.get(i).to()).isEqualTo(now);
        }
        assertThat(begins.get(0)).isEqualTo(FROM);
        assertThat(begins.get(4)).isEqualTo(FROM.plus(STEP.multipliedBy(7)));
    }
}
