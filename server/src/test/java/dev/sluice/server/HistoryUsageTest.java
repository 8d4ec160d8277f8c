package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.UsageQuery;
import dev.sluice.server.http.Json;
import dev.sluice.server.store.StoreOptions;
import dev.sluice.server.store.Stores;
import dev.sluice.server.usage.RunningRuns;
import dev.sluice.server.usage.RunningRunsQuery;
import dev.sluice.server.usage.UsageTally;
import dev.sluice.server.usage.UsageTally.Dimension;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares usage from the history with the integral of what queues had allocated, on random clusters. */
final class HistoryUsageTest {

    private static final String QUEUES = """
            partitions:
              - name: default
                queues:
                  - name: root
                    properties:
                      queue.share.policy: load
                      load.rebalance.threshold: "10"
                      load.rebalance.minimumduration: 1s
                    queues:
                      - {name: a, properties: {load.percent: "70"}}
                      - {name: b, properties: {load.percent: "30"}}
            """;

    private static final List<String> TYPES = List.of("vcore", "memory", "gpu");
    private static final int STEPS = 1_000;

    @TempDir
    Path folder;

    private final Scheduler scheduler = new Scheduler();
    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private HistoryWriter history = new HistoryWriter(Json.mapper(), scheduler.state(), 0, run -> MeasuredUse.NONE);
    private long sequence;
    private int preemptions;
    private int failures;
    private int ended;

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4})
    @Tag("slow")
    void usage_ofRandomRun_equalsIntegralOfAllocated(long seed) throws Exception {
        Random random = new Random(seed);
        Random changes = new Random(~seed);
        try (JournalStore store = Stores.open(folder, StoreOptions.DEFAULT)) {
            record(
                    store,
                    scheduler
                            .handle(
                                    new Command.ApplyConfiguration(QueueConfigurationReader.read("q", QUEUES)
                                            .value()),
                                    now)
                            .events());
            for (int i = 0; i < 4; i++) {
                Resources capacity = Resources.parse("vcore", "8", "memory", "64Gi", "gpu", "4");
                record(
                        store,
                        scheduler
                                .handle(
                                        new Command.RegisterNode(
                                                "default", "n" + i, capacity, Collections.emptySortedMap()),
                                        now)
                                .events());
            }
            Instant from = now.plusSeconds(random.nextInt(300)).plusNanos(random.nextInt(1_000_000_000));
            Instant to = from.plusSeconds(1 + random.nextInt(1_000));
            Map<String, Map<String, BigInteger>> integral = new TreeMap<>();
            RunningRuns running = null;
            RunningRunsQuery query = null;
            int steps = 0;
            int failuresInside = 0;
            int endedInside = 0;
            for (int i = 0; i < STEPS; i++) {
                Instant next =
                        now.plusMillis(random.nextInt(2_500)).plusNanos(random.nextBoolean() ? random.nextInt(999) : 0);
                if (query == null && next.isAfter(to.minusSeconds(4))) {
                    query = history.running().begin(state -> partition());
                }
                if (query != null && running == null) {
                    // the copy begins before other events and ends after them
                    StepBudget budget = next.isAfter(to) ? StepBudget.unlimited() : new StepBudget(StepBudget.MIN);
                    if (query.step(scheduler.state(), now, budget)) {
                        running = query.answer();
                        query.close();
                    } else {
                        steps++;
                    }
                }
                if (running == null) {
                    integrate(integral, from, to, next);
                }
                now = next;
                int failuresBefore = failures;
                int endedBefore = ended;
                record(store, step(random, i));
                if (changes.nextInt(10) == 0) {
                    record(store, changeMemory(changes));
                }
                record(store, scheduler.cycle("default", now));
                if (!now.isBefore(from) && now.isBefore(to)) {
                    failuresInside += failures - failuresBefore;
                    endedInside += ended - endedBefore;
                }
                boolean restart = random.nextInt(200) == 0;
                if (restart && (query == null || running != null)) {
                    history = new HistoryWriter(
                            Json.mapper(), scheduler.state(), sequence, run -> MeasuredUse.NONE); // as after a restart
                }
            }
            assertThat(running).isNotNull();
            assertThat(steps).as("steps before the last one").isPositive();
            assertThat(preemptions).as("preemptions").isPositive();
            Instant until = running.at().isBefore(to) ? running.at() : to;
            for (List<Dimension> by : List.of(
                    List.of(Dimension.QUEUE),
                    List.of(Dimension.NODE, Dimension.QUEUE),
                    List.of(Dimension.QUEUE, Dimension.USER, Dimension.APPLICATION))) {
                UsageTally tally = new UsageTally(by, from, until, 1_000);
                store.usage(
                        new UsageQuery("default", from, until, running.last(), by.contains(Dimension.NODE)),
                        tally::add);
                tally.add(running);
                Map<String, Map<String, BigInteger>> sums = new TreeMap<>();
                long failed = 0;
                long runs = 0;
                for (UsageTally.Group group : tally.groups()) {
                    Map<String, BigInteger> sum = sums.computeIfAbsent(
                            group.key().get(by.indexOf(Dimension.QUEUE)), queue -> new TreeMap<>());
                    group.amounts().forEach((type, amount) -> sum.merge(type, amount, BigInteger::add));
                    sum.merge("slots", group.runNanos(), BigInteger::add);
                    failed += group.failures();
                    runs += group.runs();
                }
                sums.values().forEach(sum -> sum.values().removeIf(amount -> amount.signum() == 0));
                assertThat(sums).as("seed %s by %s", seed, by).isEqualTo(integral);
                assertThat(failed).isLessThanOrEqualTo(failuresInside);
                assertThat(runs).isBetween(1L, (long) endedInside);
            }
        }
    }

    private Partition partition() {
        return java.util.Objects.requireNonNull(scheduler.state().partition("default"));
    }

    /** Adds what each leaf queue has allocated, from now to this instant as far as it is in the interval. */
    private void integrate(Map<String, Map<String, BigInteger>> integral, Instant from, Instant to, Instant next) {
        Instant begin = now.isAfter(from) ? now : from;
        Instant end = next.isBefore(to) ? next : to;
        if (!begin.isBefore(end)) {
            return;
        }
        BigInteger nanos = BigInteger.valueOf(Duration.between(begin, end).toNanos());
        for (String path : List.of("root.a", "root.b")) {
            Queue queue = java.util.Objects.requireNonNull(partition().queues().find(path));
            Map<String, BigInteger> sum = integral.computeIfAbsent(path, known -> new TreeMap<>());
            Resources allocated = partition().types().resources(queue::allocated);
            allocated.amounts().forEach((type, amount) -> {
                if (amount.value() > 0) {
                    sum.merge(type, nanos.multiply(BigInteger.valueOf(amount.value())), BigInteger::add);
                }
            });
        }
    }

    private List<Event> step(Random random, int number) {
        List<Task> tasks = new ArrayList<>();
        for (Node node : partition().nodes()) {
            tasks.addAll(node.tasks());
        }
        if (tasks.isEmpty() || random.nextInt(5) == 0) {
            List<String> amounts = new ArrayList<>();
            for (String type : TYPES) {
                amounts.addAll(List.of(type, Integer.toString(1 + random.nextInt(3))));
            }
            TaskSpec task = TaskSpec.of("t", 1 + random.nextInt(6), Resources.parse(amounts.toArray(String[]::new)))
                    .withAttempts(random.nextInt(3), null);
            ApplicationSpec application = ApplicationSpec.sealed(
                            "app-" + number, random.nextInt(400) < number % 400 ? "root.a" : "root.b", task)
                    .withUser("user-" + random.nextInt(3));
            return scheduler
                    .handle(new Command.SubmitApplication("default", application), now)
                    .events();
        }
        Task task = tasks.get(random.nextInt(tasks.size()));
        Command report = task.isReserved()
                ? new Command.ReportNodeReady("default", task.node().name())
                : switch (random.nextInt(6)) {
                    case 0 -> new Command.ReportTaskFailed(task.run(), 1, "");
                    case 1 -> new Command.ReportTaskLost(task.run());
                    case 2 -> new Command.ReportTaskSucceeded(task.run());
                    default -> new Command.ReportTaskStarted(task.run());
                };
        return scheduler.handle(report, now).events();
    }

    /** Changes how much memory later runs hold, far less than a node has. */
    private List<Event> changeMemory(Random changes) {
        Resources memory = Resources.parse("memory", Integer.toString(1 + changes.nextInt(3)));
        for (Node node : partition().nodes()) {
            for (Task task : node.tasks()) {
                String application = task.application().id();
                return scheduler
                        .handle(
                                new Command.UpdateApplication(
                                        "default", application, ApplicationUpdate.ofResources(memory)),
                                now)
                        .events();
            }
        }
        return List.of();
    }

    private void record(JournalStore store, List<Event> events) throws Exception {
        List<HistoryRecord> records = new ArrayList<>();
        for (Event event : events) {
            records.addAll(history.record(++sequence, Cause.CYCLE, event, scheduler.state()));
            if (event instanceof TaskEvent.Stopping stopping && stopping.reason() == StopReason.REBALANCE) {
                preemptions++;
            }
            if (event instanceof TaskEvent.Ended end) {
                ended++;
                failures += end.outcome() == TaskOutcome.SUCCEEDED || end.outcome() == TaskOutcome.STOPPED ? 0 : 1;
            }
        }
        if (!records.isEmpty()) {
            store.appendHistory(records);
        }
    }
}
