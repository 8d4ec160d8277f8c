package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.ProgramTest;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.CheckpointListener;
import dev.sluice.runtime.journal.CheckpointSettings;
import dev.sluice.runtime.journal.Checkpoints;
import dev.sluice.runtime.journal.Journal;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.store.StoreOptions;
import dev.sluice.server.store.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Start time of a server: with an empty journal, and with many events before a checkpoint. */
@Tag("long")
@Timeout(900)
@ProgramTest
final class StartTimeTest {

    private static final int APPLICATIONS = 100_000;
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    /** An idle machine takes a fraction of this. */
    private static final Duration MAX = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private Instant now = AT;
    private final Scheduler scheduler = new Scheduler();

    @Test
    void start_behindACheckpointOfMuch_isShort() throws Exception {
        Path data = folder.resolve("data");
        long events = fill(data);
        assertThat(start("empty, its tables are made", folder.resolve("empty"))).isLessThan(MAX);
        for (int i = 0; i < 3; i++) {
            assertThat(start("empty", folder.resolve("empty"))).isLessThan(MAX);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(start(APPLICATIONS + " applications, " + events + " events before the checkpoint", data))
                    .isLessThan(MAX);
        }
    }

    private static Duration start(String what, Path data) throws Exception {
        long began = System.nanoTime();
        try (ServerProcess server = ServerProcess.begin(data, "--no-node", "--retain-ended", "1000000")) {
            server.awaitReady();
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            Optional<Duration> worked = ProcessHandle.of(server.pid())
                    .flatMap(handle -> handle.info().totalCpuDuration());
            System.out.println("start: " + what + ": " + took.toMillis() + " ms, of the processors "
                    + worked.map(Duration::toMillis).orElse(-1L) + " ms; load "
                    + Files.readString(Path.of("/proc/loadavg")).strip());
            return took;
        }
    }

    /** Writes a million events and a checkpoint. */
    private long fill(Path data) throws Exception {
        try (JournalStore store = Stores.open(data, StoreOptions.DEFAULT)) {
            Journal journal = new Journal(store);
            List<Event> events = new ArrayList<>();
            take(events, new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
            Resources capacity = Resources.of("vcore", 1_000_000_000);
            take(events, new Command.RegisterNode("default", "n", capacity, new TreeMap<>()));
            for (int i = 0; i < APPLICATIONS; i++) {
                now = now.plusMillis(10);
                String id = "application-" + i;
                take(events, new Command.SubmitApplication("default", application(id)));
                if (i % 200 == 199) {
                    run(events);
                    append(journal, events);
                }
            }
            append(journal, events);
            Checkpoints checkpoints = new Checkpoints(
                    store, CheckpointSettings.DEFAULT, new CheckpointListener() {}, InstantSource.system());
            checkpoints.request().get(5, TimeUnit.MINUTES);
            checkpoints.close();
            return journal.lastSequence();
        }
    }

    private static ApplicationSpec application(String id) {
        return ApplicationSpec.sealed(id, "root.default", TaskSpec.single("t", Resources.of("vcore", 1)));
    }

    private void run(List<Event> events) {
        List<Event> placed = scheduler.cycle("default", now);
        events.addAll(placed);
        for (Event event : placed) {
            if (event instanceof TaskEvent.Placed task) {
                take(events, new Command.ReportTaskStarted(task.run()));
                take(events, new Command.ReportTaskSucceeded(task.run()));
            }
        }
    }

    private void take(List<Event> events, Command command) {
        events.addAll(scheduler.handle(command, now).events());
    }

    private void append(Journal journal, List<Event> events) throws StoreException {
        if (!events.isEmpty()) {
            journal.append(List.of(new JournalEntry(Cause.internal("test"), List.copyOf(events))), List.of(), now);
            events.clear();
        }
    }
}
