package dev.sluice.server.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.runtime.host.HistoryRecorder;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.server.TestTransactionContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Snapshots taken while the scheduler works. */
final class LiveSnapshotsTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final int APPLICATIONS = 2_000;

    private final LiveSnapshots snapshots = new LiveSnapshots(HistoryRecorder.NONE);

    private final TransactionContext context = new TestTransactionContext() {
        @Override
        public CommandResult handle(Command command) {
            CommandResult reply = super.handle(command);
            for (Event event : reply.events()) {
                assertThat(snapshots.record(0, Cause.CYCLE, event, state())).isEmpty();
            }
            return reply;
        }
    };

    LiveSnapshotsTest() {
        submitAll();
    }

    private void submitAll() {
        context.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        for (int i = 0; i < APPLICATIONS; i++) {
            submit("a" + i);
        }
    }

    private void submit(String id) {
        CommandResult reply = context.handle(new Command.SubmitApplication(
                PARTITION,
                ApplicationSpec.open(id, "root.default", TaskSpec.single("t", Resources.parse("vcore", "1")))));
        assertThat(reply.refusal()).isNull();
    }

    private LiveSnapshots.SnapshotCapture begin() throws InterruptedException {
        return Objects.requireNonNull(snapshots.begin(Duration.ZERO));
    }

    private boolean runStep(LiveSnapshots.SnapshotCapture capture) {
        return capture.step(context, new StepBudget(200));
    }

    @Test
    void snapshot_duringChanges_isConsistent() throws InterruptedException {
        try (LiveSnapshots.SnapshotCapture capture = begin()) {
            int pieces = 1;
            assertThat(runStep(capture)).isFalse();
            context.handle(new Command.CancelApplication(PARTITION, "a0", "not any more"));
            submit("late");
            while (!runStep(capture)) {
                pieces++;
            }
            context.handle(new Command.CancelApplication(PARTITION, "a1", "too late to be seen"));
            Snapshot snapshot = capture.answer();
            assertThat(pieces).isGreaterThan(5);
            assertThat(snapshot.applications())
                    .extracting(ApplicationEntry::id)
                    .hasSize(APPLICATIONS)
                    .doesNotContain("a0")
                    .contains("a1")
                    .endsWith("late");
        }
    }

    @Test
    void snapshot_duringAnother_waits() throws InterruptedException {
        try (LiveSnapshots.SnapshotCapture first = begin()) {
            assertThat(runStep(first)).isFalse();
            assertThat(snapshots.begin(Duration.ZERO)).isNull();
        }
        try (LiveSnapshots.SnapshotCapture second = begin()) {
            assertThat(runStep(second)).isFalse();
        }
    }

    @Test
    void capture_closedTwice_allowsOneMore() throws InterruptedException {
        LiveSnapshots.SnapshotCapture first = begin();
        first.close();
        assertThatNoException().isThrownBy(first::close);
        try (LiveSnapshots.SnapshotCapture second = begin()) {
            assertThat(snapshots.begin(Duration.ZERO)).isNull();
            assertThat(runStep(second)).isFalse();
        }
    }
}
