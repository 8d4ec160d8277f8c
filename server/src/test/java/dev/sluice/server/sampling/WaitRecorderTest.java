package dev.sluice.server.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.journal.WaitHistory;
import dev.sluice.runtime.journal.WaitHistory.Wait;
import dev.sluice.runtime.journal.WaitHistory.WaitingApplication;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.TestTransactionContext;
import dev.sluice.server.sampling.WaitQuery.Explained;
import dev.sluice.server.view.Reasons.ReasonEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is recorded of why applications wait, with a manual clock. */
final class WaitRecorderTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final WaitingApplication ETL = new WaitingApplication(PARTITION, "etl", NOON);
    private static final WaitReason HELD = new WaitReason.Held();

    private final WaitHistory history = new MemoryStore().waits();
    private final WaitRecorder recorder = new WaitRecorder(history);

    private static Instant at(long seconds) {
        return NOON.plusSeconds(seconds);
    }

    private static WaitReason throttled(int tasks) {
        return new WaitReason.Throttled(tasks);
    }

    private static ReasonEntry entry(long tasks, WaitReason reason) {
        return new ReasonEntry(tasks, List.of("t"), reason);
    }

    private static void sample(WaitRecorder recorder, long seconds, ReasonEntry... reasons) throws Exception {
        recorder.add(
                at(seconds), new WaitQuery.Waits(List.of(new Explained(ETL, Arrays.asList(reasons))), List.of(), null));
    }

    private void end(long seconds) throws Exception {
        recorder.add(at(seconds), new WaitQuery.Waits(List.of(), List.of(ETL), null));
    }

    private static Wait wait(long from, long seen, WaitReason reason, long tasks) {
        return new Wait(ETL, at(from), at(seen), reason.code(), reason.detail(), tasks);
    }

    private List<Wait> stored() throws Exception {
        return history.find(ETL, 99);
    }

    @Test
    void reasons_thatChange_areStoredWithTheirTimes() throws Exception {
        sample(recorder, 0, entry(1, HELD));
        sample(recorder, 10, entry(1, HELD));
        sample(recorder, 20, entry(1, throttled(5)));
        end(30);
        sample(recorder, 40, entry(1, HELD));
        assertThat(stored())
                .containsExactly(wait(40, 40, HELD, 1), wait(20, 30, throttled(5), 1), wait(0, 20, HELD, 1));
    }

    @Test
    void reason_ofMostTasks_isStored() throws Exception {
        sample(recorder, 0, entry(2, HELD), entry(3, throttled(5)), entry(3, new WaitReason.ClassNotServed("root.a")));
        assertThat(stored()).containsExactly(wait(0, 0, throttled(5), 3));
    }

    @Test
    void reason_withOtherNumbers_isTheSame() throws Exception {
        sample(recorder, 0, entry(3, throttled(5)));
        sample(recorder, 10, entry(2, throttled(400)));
        end(20);
        assertThat(stored()).containsExactly(wait(0, 20, throttled(5), 3));
    }

    @Test
    void reason_ofAnotherQueue_isAnother() throws Exception {
        sample(recorder, 0, entry(1, new WaitReason.ClassNotServed("root.team1")));
        sample(recorder, 10, entry(1, new WaitReason.ClassNotServed("root.team2")));
        assertThat(stored()).hasSize(2);
    }

    @Test
    void reason_thatLasts_isWrittenEachFiveMinutes() throws Exception {
        sample(recorder, 0, entry(1, HELD));
        sample(recorder, 299, entry(1, HELD));
        assertThat(stored()).containsExactly(wait(0, 0, HELD, 1));
        sample(recorder, 300, entry(1, HELD));
        assertThat(stored()).containsExactly(wait(0, 300, HELD, 1));
    }

    @Test
    void reason_afterRestart_isContinuedUnlessItIsOld() throws Exception {
        sample(recorder, 0, entry(1, HELD));
        sample(new WaitRecorder(history), 400, entry(1, HELD));
        assertThat(stored()).containsExactly(wait(0, 400, HELD, 1));
        sample(new WaitRecorder(history), 1_001, entry(1, HELD));
        assertThat(stored()).containsExactly(wait(1_001, 1_001, HELD, 1), wait(0, 400, HELD, 1));
    }

    @Test
    void reason_untilNextCycle_isNotStored() throws Exception {
        sample(recorder, 0, entry(1, new WaitReason.NextCycle()));
        assertThat(stored()).isEmpty();
        assertThat(recorder.followed()).isEmpty();
    }

    @Test
    void applications_beyondTheMaximum_areFollowedLater() throws Exception {
        List<Explained> many = new ArrayList<>();
        for (int i = 0; i < WaitRecorder.FOLLOWED_MAX; i++) {
            many.add(new Explained(new WaitingApplication(PARTITION, "a" + i, NOON), List.of(entry(1, HELD))));
        }
        recorder.add(at(0), new WaitQuery.Waits(many, List.of(), null));
        sample(recorder, 10, entry(1, HELD));
        assertThat(recorder.followed()).hasSize(WaitRecorder.FOLLOWED_MAX);
        assertThat(stored()).isEmpty();
        recorder.add(at(20), new WaitQuery.Waits(List.of(), List.of(many.get(0).application()), null));
        sample(recorder, 30, entry(1, HELD));
        assertThat(stored()).hasSize(1);
    }

    private final TestTransactionContext context = new TestTransactionContext();

    private void submit(String id, int tasks) {
        assertThat(context.handle(new Command.SubmitApplication(
                                PARTITION,
                                ApplicationSpec.open(
                                        id, "root.default", TaskSpec.of("t", tasks, Resources.parse("vcore", "1")))))
                        .refusal())
                .isNull();
    }

    private void partition() {
        context.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
    }

    /** Executes a query with steps of a few units. */
    private WaitQuery.Waits query(List<WaitingApplication> followed, WaitQuery.@Nullable Cursor cursor) {
        WaitQuery query = new WaitQuery(followed, cursor);
        for (int steps = 0; steps < WaitQuery.UNITS_MAX; steps++) {
            if (query.step(context, new StepBudget(5))) {
                return query.answer();
            }
        }
        throw new AssertionError("the query does not end");
    }

    private static List<String> ids(WaitQuery.Waits waits) {
        return waits.explained().stream().map(each -> each.application().id()).toList();
    }

    @Test
    void query_ofMoreApplicationsThanItExplains_goesOnAfterThem() {
        partition();
        int count = WaitQuery.EXPLAINED_MAX + 50;
        for (int i = 0; i < count; i++) {
            submit("a" + i, 1);
        }
        WaitQuery.Waits first = query(List.of(), null);
        assertThat(ids(first)).hasSize(WaitQuery.EXPLAINED_MAX).startsWith("a0").endsWith("a199");
        WaitQuery.Waits second = query(List.of(), first.cursor());
        assertThat(ids(second)).hasSize(50).startsWith("a200");
        assertThat(second.cursor()).as("the next one begins with the first").isNull();
    }

    @Test
    void query_ofFollowedApplications_findsThoseThatDoNotWaitAnyMore() {
        partition();
        submit("starts", 1);
        submit("waits", 2);
        List<WaitingApplication> followed = query(List.of(), null).explained().stream()
                .map(Explained::application)
                .toList();
        context.handle(new Command.RegisterNode(PARTITION, "n", Resources.parse("vcore", "2"), new TreeMap<>()));
        context.cycle(PARTITION);
        List<WaitingApplication> all = new ArrayList<>(followed);
        WaitingApplication gone = new WaitingApplication(PARTITION, "gone", NOON);
        WaitingApplication reused = new WaitingApplication(PARTITION, "waits", NOON);
        all.addAll(List.of(gone, reused));
        WaitQuery.Waits waits = query(all, null);
        assertThat(ids(waits)).containsExactly("waits");
        assertThat(waits.ended()).containsExactlyInAnyOrder(followed.get(0), gone, reused);
    }

    /** An application that takes more than the bound is left out, and those after it are explained. */
    @Test
    void query_withExpensiveApplication_skipsIt() {
        partition();
        submit("before", 1);
        TaskSpec[] groups = new TaskSpec[WaitQuery.UNITS_MAX + 10];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = TaskSpec.of("t" + i, 1, Resources.parse("vcore", "1"));
        }
        assertThat(context.handle(new Command.SubmitApplication(
                                PARTITION, ApplicationSpec.open("expensive", "root.default", groups)))
                        .refusal())
                .isNull();
        submit("after", 1);
        WaitQuery.Waits first = query(List.of(), null);
        assertThat(ids(first)).containsExactly("before");
        assertThat(ids(query(List.of(), first.cursor()))).containsExactly("after");
    }

    @Test
    void query_ofReplacedPartition_beginsAgain() {
        partition();
        submit("a", 1);
        Partition partition = Objects.requireNonNull(context.state().partition(PARTITION));
        Application application = Objects.requireNonNull(partition.application("a"));
        TestTransactionContext other = new TestTransactionContext();
        other.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        Partition replaced = Objects.requireNonNull(other.state().partition(PARTITION));
        assertThat(ids(query(List.of(), new WaitQuery.Cursor(replaced, application))))
                .containsExactly("a");
    }
}
