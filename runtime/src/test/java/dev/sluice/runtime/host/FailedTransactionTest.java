package dev.sluice.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A command that fails within the scheduler because a simulated bug has damaged the state: an application is forgotten
 * while its task is allocated, so removing the node finds a task without an application.
 */
@Timeout(60)
final class FailedTransactionTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Cause CAUSE = new Cause("test", "tester");

    private final Scheduler scheduler = new Scheduler();
    private final Log log = new Log();
    private final Listener listener = new Listener();
    private final EngineHost host = new EngineHost(new HostParts(
            scheduler, NOW, () -> NOW, log, HistoryRecorder.NONE, List.of(), listener, HostLimits.DEFAULT));

    /** Keeps the entries in memory. */
    private static final class Log implements BatchLog {

        private final List<Event> written = new CopyOnWriteArrayList<>();

        @Override
        public long nextSequence() {
            return written.size() + 1L;
        }

        @Override
        public void append(List<JournalEntry> entries, List<HistoryRecord> historyRecords, Instant at) {
            entries.forEach(entry -> written.addAll(entry.events()));
        }

        @Override
        public void appendHistory(List<HistoryRecord> historyRecords) {}
    }

    /** Records why the host ended. */
    private static final class Listener implements HostListener {

        private volatile @Nullable Throwable failure;

        @Override
        public void failed(Throwable reason) {
            failure = reason;
        }
    }

    private void handle(Command command) {
        assertThat(scheduler.handle(command, NOW).refusal()).isNull();
    }

    /** Ends an application although its task is running, which no real event does. */
    private void damage() {
        handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        handle(new Command.RegisterNode(PARTITION, "n", Resources.of("slots", 1), new TreeMap<>()));
        handle(new Command.SubmitApplication(
                PARTITION, ApplicationSpec.sealed("a", "root.default", TaskSpec.single("t", Resources.NONE))));
        assertThat(scheduler.cycle(PARTITION, NOW)).isNotEmpty();
        List<ApplicationState> states = List.of(
                ApplicationState.RUNNING,
                ApplicationState.COMPLETING,
                ApplicationState.COMPLETED,
                ApplicationState.EXPIRED);
        List<Event> events = new ArrayList<>();
        for (int i = 1; i < states.size(); i++) {
            events.add(new ApplicationEvent.StateChanged(
                    PARTITION, "a", ApplicationOrigin.UNKNOWN, states.get(i - 1), states.get(i), "", NOW));
        }
        scheduler.restore(events);
    }

    @Test
    void command_failingInScheduler_endsLoopWithoutWriting() {
        damage();
        CompletableFuture<Boolean> broken = host.submit(CAUSE, context -> {
            try {
                return context.handle(new Command.RemoveNode(PARTITION, "n")).refusal() == null;
            } catch (IllegalStateException e) {
                return false; // but the loop must end
            }
        });
        CompletableFuture<Boolean> next = host.submit(CAUSE, context -> true);

        host.start();

        assertThatThrownBy(broken::get).hasCauseInstanceOf(BusyException.class);
        assertThatThrownBy(next::get).hasCauseInstanceOf(BusyException.class);
        await().until(() -> listener.failure != null);
        assertThat(listener.failure).hasMessageContaining("failed after changing the state");
        assertThat(host.isAlive()).isFalse();
        assertThat(log.written).isEmpty();
    }
}
