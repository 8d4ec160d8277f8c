package dev.sluice.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.EventVisitor;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.StateText;
import dev.sluice.runtime.testing.MemoryStore;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Data recorded earlier is decoded to the same states. The files never change; a new format or kind of event adds new
 * files.
 */
class GoldenJournalsTest {

    /** The number of kinds of events in the first two recordings. */
    private static final int EARLIER_KINDS = 28;

    /** The number of kinds of events in recording 3, before taints. */
    private static final int KINDS_OF_3 = 37;

    /** Recording 1 has format 1, the later ones format 2. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void goldenJournals_replayed_yieldRecordedStates(int recording) throws IOException, StoreException {
        StringBuilder states = new StringBuilder();
        Set<Class<?>> kinds = new LinkedHashSet<>();
        BatchDecoder decoder = new BatchDecoder();
        try (DataInputStream in = new DataInputStream(resource("journals-" + recording + ".bin"))) {
            for (MemoryStore store : GoldenJournals.read(in)) {
                Restored restored = Replay.of(store, ReplayListener.NONE);
                states.append(StateText.of(restored.scheduler().state())).append("end\n");
                for (StoredBatch batch : store.batches()) {
                    for (JournalEntry entry : decoder.decode(batch)) {
                        assertThat(entry.cause()).isEqualTo(new Cause("kept", "me"));
                        entry.events().stream().map(Event::getClass).forEach(kinds::add);
                        entry.events().forEach(event -> assertSelfContained(event, Math.min(recording, 2)));
                    }
                }
            }
        }
        // a new kind of event needs another recording, see GoldenJournals
        assertThat(kinds)
                .hasSize(
                        recording < 3
                                ? EARLIER_KINDS
                                : recording == 3 ? KINDS_OF_3 : EventVisitor.class.getMethods().length);
        assertStates(states, recording);
    }

    /** Format 1 did not record which run an event concerns, where it is and whose. */
    private static void assertSelfContained(Event event, int format) {
        if (event instanceof TaskEvent.RunEvent run) {
            assertThat(run.run().attempt() > 0).as("%s", run).isEqualTo(format > 1);
            assertThat(run.node().isEmpty()).as("%s", run).isEqualTo(format == 1 && !(run instanceof TaskEvent.Placed));
        }
        if (event instanceof TaskEvent task) {
            assertThat(task.origin().user().isEmpty()).as("%s", task).isEqualTo(format == 1);
        }
    }

    /** The checkpoints of a recording have its number as version. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void goldenCheckpoints_read_yieldStatesOfTheirJournals(int recording) throws IOException {
        StringBuilder states = new StringBuilder();
        try (DataInputStream in = new DataInputStream(resource("checkpoints-" + recording + ".bin"))) {
            for (SchedulerState state : GoldenCheckpoints.read(in)) {
                states.append(StateText.of(state)).append("end\n");
            }
        }
        assertStates(states, recording);
    }

    private static void assertStates(StringBuilder states, int recording) throws IOException {
        String latest = states.toString()
                .replace(", delaysMax=null]", "]") // added after recording 4
                .replace(", container=null]", "]"); // no recording has one
        String third = recording < 4 ? withoutPreemption(withoutConstraints(withoutSecrets(latest))) : latest;
        String text = recording < 3 ? withoutLaterComponents(third) : third;
        try (InputStream in = resource("journals-" + recording + ".txt")) {
            assertThat(text).isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static String withoutSecrets(String states) {
        return states.replace(", secrets={}]", "]");
    }

    /** Returns the text without the components that recording 4 added, which have their defaults. */
    private static String withoutPreemption(String states) {
        return states.replace(", preemptible=true]", "]")
                .replace(", reservation=ReservationProperties[delay=null, max=null]", "")
                .replace(
                        ", preemption=PreemptionProperties[policy=DEFAULT, delay=null, byPriority=null,"
                                + " minimumRuntime=null, quotaDelay=PT0S]]",
                        "]")
                .replace(", quotaPreemption=false]", "]");
    }

    /**
     * Returns the text without components that records got later, which have their defaults, and without what earlier
     * releases did not remember.
     */
    private static String withoutLaterComponents(String states) {
        return states.replaceAll("(?m)^ +(unsuccessful|runs|limit group) .*\n", "")
                .replace(", stdin=null, umask=-1]", "]")
                .replaceAll("retries=Retries\\[times=(\\d+), delay=PT0S, backoff=1.0, exitCodes=\\[]]", "retries=$1");
    }

    /** Returns the text with constraints as they were before tasks had more than required labels. */
    private static String withoutConstraints(String states) {
        return states.replaceAll(
                "constraints=Constraints\\[nodeSelector=(\\{[^}]*}),"
                        + " nodeAffinity=NodeAffinity\\[required=\\[], preferred=\\[]], tolerations=\\[],"
                        + " tasks=TaskConstraints\\[labels=\\{}, affinity=TaskAffinity\\[required=\\[], preferred=\\[]],"
                        + " antiAffinity=TaskAffinity\\[required=\\[], preferred=\\[]], spread=\\[], ports=\\[], perNode=0]]",
                "requiredLabels=$1");
    }

    private static InputStream resource(String name) {
        return Objects.requireNonNull(GoldenJournalsTest.class.getResourceAsStream(name));
    }
}
