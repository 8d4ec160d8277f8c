package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.journal.AccessToken;
import dev.sluice.runtime.journal.AuditLog.AuditEntry;
import dev.sluice.runtime.journal.AuditLog.AuditQuery;
import dev.sluice.runtime.journal.DemandHistory.Demand;
import dev.sluice.runtime.journal.DemandHistory.DemandQuery;
import dev.sluice.runtime.journal.FinishedOrder;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.HistoryRecord.ConfigurationRevision;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.HistoryRecord.IdempotencyRecord;
import dev.sluice.runtime.journal.HistoryRecord.Notification;
import dev.sluice.runtime.journal.HistoryRecord.RunUsage;
import dev.sluice.runtime.journal.HistoryRecord.TaskEnd;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.RunEnd;
import dev.sluice.runtime.journal.TaskEndQuery;
import dev.sluice.runtime.journal.UsageQuery;
import dev.sluice.runtime.journal.WaitHistory;
import dev.sluice.runtime.journal.WaitHistory.Wait;
import dev.sluice.runtime.journal.WaitHistory.WaitingApplication;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contract tests of the history: idempotency records, finished applications, configuration revisions. */
abstract class HistoryTablesContract extends CheckpointContract {

    @Test
    void idempotencyRecords_reopened_areNewestInOrder() throws Exception {
        Batches.append(store, 20);
        reopen();
        List<IdempotencyRecord> all = store.idempotencyRecords(Batches.START, 100);
        assertThat(all).hasSize(20);
        assertThat(all).extracting(IdempotencyRecord::at).isSorted();
        assertThat(all.get(0)).isEqualTo(Batches.receipt(1));
        assertThat(store.idempotencyRecords(Batches.START, 3)).isEqualTo(all.subList(17, 20));
        assertThat(store.idempotencyRecords(all.get(15).at(), 100)).isEqualTo(all.subList(15, 20));
    }

    @Test
    void idempotencyRecord_withKnownKey_isReplaced() throws Exception {
        IdempotencyRecord second = new IdempotencyRecord("key-1", "other", 409, "no", Batches.START.plusSeconds(9));
        store.append(Batches.at(1), List.of(Batches.receipt(1), Batches.receipt(2), second));
        assertThat(store.idempotencyRecords(Instant.EPOCH, 10)).containsExactly(Batches.receipt(2), second);
        store.append(Batches.at(store.lastSequence() + 1), List.of(Batches.receipt(1)));
        assertThat(store.idempotencyRecords(Instant.EPOCH, 10)).containsExactly(Batches.receipt(1), Batches.receipt(2));
    }

    @Test
    void idempotencyRecord_withoutEvents_isDurable() throws Exception {
        Batches.append(store, 1);
        store.appendHistory(List.of(Batches.receipt(8), Batches.receipt(9)));
        store.appendHistory(List.of(Batches.receipt(9)));
        reopen();
        assertThat(store.idempotencyRecords(Instant.EPOCH, 10))
                .containsExactly(Batches.receipt(1), Batches.receipt(8), Batches.receipt(9));
        assertThat(store.lastSequence()).isEqualTo(1);
        Batches.append(store, 1);
    }

    private static Notification notification(long sequence, String target, long second) {
        return new Notification(
                sequence, target, "id" + sequence, Batches.START.plusSeconds(second), "{\"a\": " + sequence + "}");
    }

    @Test
    void notifications_reopened_areOldestFirstAndRemoved() throws Exception {
        Notification first = notification(1, "chat", 0);
        Notification second = notification(3, "chat", 1);
        Notification later = notification(2, "chat", 2);
        Notification other = notification(3, "page\0r", 1);
        Notification threshold = notification(Notification.NO_EVENT, "chat", 1);
        store.append(Batches.at(1), List.of(later, second, first, other));
        store.appendHistory(List.of(threshold));
        store.appendHistory(List.of(threshold));
        reopen();

        assertThat(store.outbox().first("chat", 9)).containsExactly(first, second, threshold, later);
        assertThat(store.outbox().first("chat", 2)).containsExactly(first, second);
        assertThat(store.outbox().first("page\0r", 2))
                .extracting(Notification::id)
                .containsExactly("id3");
        assertThat(store.outbox().counts()).containsOnly(Map.entry("chat", 4L), Map.entry("page\ufffdr", 1L));

        store.outbox().remove(List.of(first, second, notification(9, "chat", 9)));
        store.outbox().remove(List.of());
        assertThat(store.outbox().first("chat", 9)).containsExactly(threshold, later);
        store.outbox().removeAll("chat");
        reopen();
        assertThat(store.outbox().counts()).containsOnlyKeys("page\ufffdr");
    }

    private static Demand demand(String queue, long minutes, long seconds, long pending) {
        return new Demand(
                "default",
                queue,
                Batches.START.plusSeconds(seconds),
                Duration.ofMinutes(minutes),
                pending,
                new TreeMap<>(Map.of("vcore", pending * 1000)),
                new TreeMap<>(Map.of("gpu", 2L, "vcore", 500L)));
    }

    @Test
    void demand_reopened_isReplacedAndDiscarded() throws Exception {
        Demand first = demand("root", 5, 0, 1);
        Demand leaf = demand("root.a", 5, 300, 2);
        Demand next = demand("root", 5, 300, 3);
        Demand hour = demand("root", 60, 0, 4);
        store.demand().append(List.of(demand("root", 5, 300, 9), next, leaf, first));
        store.demand().append(List.of(demand("root", 60, 0, 7)));
        store.demand().append(List.of(hour));
        store.demand().append(List.of());
        reopen();
        Instant end = Batches.START.plusSeconds(301);
        Duration length = Duration.ofMinutes(5);
        assertThat(store.demand().find(new DemandQuery("default", "", length, Batches.START, end)))
                .containsExactly(first, next, leaf);
        assertThat(store.demand().find(new DemandQuery("default", "root", length, Batches.START, end.minusSeconds(1))))
                .containsExactly(first);
        assertThat(store.demand().find(new DemandQuery("other", "", length, Batches.START, end)))
                .isEmpty();
        store.demand().discard(length, next.from());
        assertThat(store.demand().find(new DemandQuery("default", "", length, Batches.START, end)))
                .containsExactly(next, leaf);
        assertThat(store.demand().find(new DemandQuery("default", "", hour.length(), Batches.START, end)))
                .containsExactly(hour);
    }

    private static Wait wait(WaitingApplication application, long from, long seen, String code) {
        return new Wait(
                application,
                Batches.START.plusSeconds(from),
                Batches.START.plusSeconds(seen),
                code,
                "the words of " + code + "\0",
                3);
    }

    private List<String> waits(WaitingApplication application, int limit) throws Exception {
        return store.waits().find(application, limit).stream().map(Wait::code).toList();
    }

    @Test
    void waits_reopened_areReplacedBoundedAndDiscarded() throws Exception {
        WaitingApplication etl = new WaitingApplication("default", "etl", Batches.START);
        WaitingApplication later = new WaitingApplication("default", "etl", Batches.START.plusSeconds(1));
        store.waits().append(List.of(wait(etl, 0, 0, "quota"), wait(etl, 10, 10, "held"), wait(later, 10, 10, "gang")));
        store.waits().append(List.of(wait(etl, 10, 15, "wrong"), wait(etl, 10, 20, "throttled")));
        store.waits().append(List.of());
        reopen();
        assertThat(waits(etl, 9)).containsExactly("throttled", "quota");
        assertThat(waits(etl, 1)).containsExactly("throttled");
        assertThat(waits(later, 9)).containsExactly("gang");
        assertThat(waits(new WaitingApplication("other", "etl", Batches.START), 9))
                .isEmpty();
        assertThat(store.waits().find(etl, 1).get(0))
                .usingRecursiveComparison()
                .ignoringFields("detail")
                .isEqualTo(wait(etl, 10, 20, "throttled"));

        for (int i = 1; i < WaitHistory.WAITS_MAX; i++) {
            store.waits().append(List.of(wait(etl, 10 + i, 20, "more")));
        }
        assertThat(waits(etl, 999))
                .hasSize(WaitHistory.WAITS_MAX)
                .contains("throttled")
                .doesNotContain("quota");
        store.waits().append(List.of(wait(etl, 0, 30, "late")));
        assertThat(waits(etl, 999)).hasSize(WaitHistory.WAITS_MAX).doesNotContain("late");

        store.waits().append(List.of(wait(etl, 200, 200, "last")));
        store.discard(
                new Retention(Duration.ofDays(1), Duration.ofSeconds(5), Duration.ofDays(1), 2),
                Batches.START.plusSeconds(26));
        assertThat(waits(etl, 999)).containsExactly("last");
        assertThat(waits(later, 9)).isEmpty();
    }

    @Test
    void waits_ofForgottenApplication_areDeleted() throws Exception {
        FinishedApplication etl = Batches.finished(1, "etl", "root.a", "alice", ApplicationState.COMPLETED);
        WaitingApplication forgotten = new WaitingApplication("default", "etl", etl.submitted());
        WaitingApplication later =
                new WaitingApplication("default", "etl", etl.ended().plusSeconds(9));
        store.append(Batches.at(1), List.of(etl));
        store.waits().append(List.of(wait(forgotten, 0, 0, "quota"), wait(later, 0, 0, "held")));
        store.appendHistory(List.of(new HistoryRecord.ForgottenApplication("default", "etl", "bob", etl.ended())));
        assertThat(waits(forgotten, 9)).containsExactly("quota");
        store.appendHistory(List.of(new HistoryRecord.ForgottenApplication("default", "etl", "alice", etl.ended())));
        assertThat(waits(forgotten, 9)).isEmpty();
        assertThat(waits(later, 9)).containsExactly("held");
    }

    private static AuditEntry audited(long sequence, String user, long second) {
        return new AuditEntry(
                sequence,
                Batches.START.plusSeconds(second),
                user,
                "token",
                "127.0.0.1",
                "cancelApplication",
                "/a",
                403,
                "refused\0");
    }

    @Test
    void audit_reopened_isNewestFirstUntilDiscarded() throws Exception {
        store.audit().append(List.of(audited(1, "ada", 0), audited(2, "eve", 10), audited(5, "ada", 20)));
        store.audit().append(List.of(audited(5, "max", 20)));
        reopen();
        assertThat(store.audit().find(new AuditQuery(null, null, null, Long.MAX_VALUE, 9)))
                .extracting(AuditEntry::sequence)
                .containsExactly(5L, 2L, 1L);
        assertThat(store.audit().find(new AuditQuery("ada", null, null, 5, 9)))
                .extracting(AuditEntry::sequence)
                .containsExactly(1L);
        Instant middle = Batches.START.plusSeconds(10);
        assertThat(store.audit().find(new AuditQuery(null, middle, middle.plusSeconds(10), Long.MAX_VALUE, 9)))
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("detail")
                .containsExactly(audited(2, "eve", 10));
        assertThat(store.audit().find(new AuditQuery(null, null, null, Long.MAX_VALUE, 1)))
                .hasSize(1);

        store.discard(
                new Retention(Duration.ofDays(1), Duration.ofSeconds(5), Duration.ofDays(1), 2),
                Batches.START.plusSeconds(16));
        assertThat(store.audit().find(new AuditQuery(null, null, null, Long.MAX_VALUE, 9)))
                .extracting(AuditEntry::sequence)
                .containsExactly(5L);
    }

    private static AccessToken token(String id, long created, long expires) {
        return new AccessToken(
                id,
                "digest of " + id,
                "laptop",
                "ada",
                "submitter",
                Batches.START.plusSeconds(created),
                Batches.START.plusSeconds(expires));
    }

    @Test
    void accessTokens_reopened_areOldestFirstAndRemoved() throws Exception {
        AccessToken old = token("b", 0, 10);
        AccessToken recent = token("a", 1, 20);
        AccessToken latest = token("c", 2, 30);
        store.accessTokens().add(latest);
        store.accessTokens().add(recent);
        store.accessTokens().add(old);
        reopen();
        assertThat(store.accessTokens().all()).containsExactly(old, recent, latest);

        store.accessTokens().remove("c");
        store.accessTokens().remove("unknown");
        store.accessTokens().removeExpired(Batches.START.plusSeconds(10));
        reopen();
        assertThat(store.accessTokens().all()).containsExactly(recent);
    }

    @Test
    void texts_anyCharacters_areKept() throws Exception {
        IdempotencyRecord odd = new IdempotencyRecord("a\0b", "ü€😀'\";--", 200, "\u0001\n\ufffe", Instant.MAX);
        ConfigurationRevision revision = new ConfigurationRevision(1, "\0", "", "x".repeat(2_000_000), Instant.MIN);
        store.append(Batches.at(1), List.of(odd, revision));
        assertThat(store.idempotencyRecords(Instant.EPOCH, 1).get(0))
                .usingRecursiveComparison()
                .ignoringFields("at")
                .isEqualTo(new IdempotencyRecord("a\ufffdb", "ü€😀'\";--", 200, "\u0001\n\ufffe", Instant.MAX));
        assertThat(store.revisions(2, 1).get(0).text()).hasSize(2_000_000);
    }

    @Test
    void finished_longQueuePath_isKept() throws Exception {
        // an old database may contain such paths; random, because indexes compress repetitions
        Random random = new Random(1);
        StringBuilder path = new StringBuilder("root");
        while (path.length() < 3_844) {
            path.append(path.length() % 60 == 0 ? '.' : (char) ('a' + random.nextInt(26)));
        }
        String queue = path.toString();
        store.append(Batches.at(1), List.of(Batches.finished(1, "etl", queue, "alice", ApplicationState.COMPLETED)));
        assertThat(store.finished(new FinishedQuery("default", null, queue, null, null, Long.MAX_VALUE, 5)))
                .hasSize(1)
                .allSatisfy(found -> assertThat(queue).startsWith(found.queue()));
    }

    @Test
    void finished_anyFilter_areFoundLastFirst() throws Exception {
        List<HistoryRecord> historyRecords = new ArrayList<>();
        historyRecords.add(Batches.finished(1, "etl", "root.a", "alice", ApplicationState.COMPLETED));
        historyRecords.add(Batches.finished(2, "etl", "root.a.b", "bob", ApplicationState.FAILED));
        historyRecords.add(Batches.finished(3, "sum", "root.a-b", "alice", ApplicationState.FAILED));
        historyRecords.add(Batches.finished(4, "sum", "root.ab", "bob", ApplicationState.COMPLETED));
        historyRecords.add(Batches.finished(5, "max", "", "eve", ApplicationState.REJECTED));
        store.append(Batches.at(1), historyRecords);
        assertThat(sequences(query(null, null, null, null))).containsExactly(5L, 4L, 3L, 2L, 1L);
        assertThat(sequences(query("etl", null, null, null))).containsExactly(2L, 1L);
        assertThat(sequences(query(null, "root.a", null, null))).containsExactly(2L, 1L);
        assertThat(sequences(query(null, "root", null, null))).containsExactly(4L, 3L, 2L, 1L);
        assertThat(sequences(query(null, null, "alice", null))).containsExactly(3L, 1L);
        assertThat(sequences(query(null, null, null, ApplicationState.FAILED))).containsExactly(3L, 2L);
        assertThat(sequences(query("etl", "root.a", "bob", ApplicationState.FAILED)))
                .containsExactly(2L);
        assertThat(sequences(new FinishedQuery("other", null, null, null, null, Long.MAX_VALUE, 9)))
                .isEmpty();
        assertThat(sequences(new FinishedQuery("default", null, null, null, null, 4, 2)))
                .containsExactly(3L, 2L);
        assertThat(store.finished(query("max", null, null, null)))
                .containsExactly((FinishedApplication) historyRecords.get(4));
    }

    /** Returns 60 applications with few different values, so that many are equal in each order. */
    private static List<FinishedApplication> varied() {
        Random random = new Random(1);
        List<FinishedApplication> varied = new ArrayList<>();
        for (int i = 1; i <= 60; i++) {
            Instant ended = Batches.START.plusSeconds(100 + i / 2);
            varied.add(new FinishedApplication(
                    3L * i,
                    "default",
                    "a" + random.nextInt(5),
                    "name" + random.nextInt(2),
                    "root." + (char) ('a' + random.nextInt(3)),
                    "user" + random.nextInt(3),
                    random.nextBoolean() ? ApplicationState.COMPLETED : ApplicationState.FAILED,
                    "",
                    ended.minusSeconds(random.nextInt(4) * 10L),
                    ended,
                    "{}"));
        }
        return varied;
    }

    private static FinishedQuery filtered(
            @Nullable String id,
            @Nullable String name,
            @Nullable String queue,
            @Nullable String user,
            @Nullable ApplicationState state,
            @Nullable Instant from) {
        return new FinishedQuery("default", id, null, name, queue, user, state, from, null, Long.MAX_VALUE, 7);
    }

    @Test
    void finished_anyOrderAndFilter_arePagedInThatOrder() throws Exception {
        List<FinishedApplication> all = varied();
        store.append(Batches.at(1), List.copyOf(all));
        List<FinishedQuery> queries = List.of(
                filtered(null, null, null, null, null, null),
                filtered("a1", null, null, null, null, null),
                filtered(null, "name1", null, null, null, null),
                filtered(null, null, "root.b", null, null, null),
                filtered(null, null, null, "user2", null, null),
                filtered(null, "name0", "root", "user1", ApplicationState.FAILED, null),
                filtered(null, null, null, null, null, Batches.START.plusSeconds(115)));
        for (FinishedQuery query : queries) {
            for (FinishedOrder.Key key : FinishedOrder.Key.values()) {
                for (boolean reversed : List.of(false, true)) {
                    FinishedOrder order = new FinishedOrder(key, reversed, null);
                    List<FinishedApplication> expected = all.stream()
                            .filter(each -> (query.id() == null || query.id().equals(each.id()))
                                    && (query.name() == null || query.name().equals(each.name()))
                                    && (query.queue() == null || each.queue().startsWith(query.queue()))
                                    && (query.user() == null || query.user().equals(each.user()))
                                    && (query.state() == null || query.state() == each.state())
                                    && (query.from() == null || !each.ended().isBefore(query.from())))
                            .sorted(order.comparator())
                            .toList();
                    assertThat(pages(query, order)).as("%s %s", query, order).isEqualTo(expected);
                }
            }
        }
    }

    /** Returns the applications of all pages of a query. */
    private List<FinishedApplication> pages(FinishedQuery query, FinishedOrder order) throws Exception {
        List<FinishedApplication> found = new ArrayList<>();
        while (found.size() <= 60) {
            FinishedApplication last = found.isEmpty() ? null : found.get(found.size() - 1);
            List<FinishedApplication> page =
                    store.finished(query.in(new FinishedOrder(order.key(), order.reversed(), last)));
            if (page.isEmpty()) {
                break;
            }
            found.addAll(page);
        }
        return found;
    }

    @Test
    void finished_ofInterval_areFound() throws Exception {
        List<HistoryRecord> historyRecords = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            historyRecords.add(Batches.finished(i, "a" + i, "root.a", "alice", ApplicationState.COMPLETED));
        }
        store.append(Batches.at(1), historyRecords);
        assertThat(sequences(ended(2, 4, null))).containsExactly(3L, 2L);
        assertThat(sequences(ended(5, 9, null))).containsExactly(5L);
        assertThat(sequences(ended(6, 9, null))).isEmpty();
        assertThat(sequences(ended(0, 9, "name"))).hasSize(5);
        assertThat(sequences(ended(0, 9, "other"))).isEmpty();
    }

    private static FinishedQuery ended(int from, int to, @Nullable String name) {
        return new FinishedQuery(
                "default",
                null,
                null,
                name,
                null,
                null,
                null,
                Batches.START.plusSeconds(from),
                Batches.START.plusSeconds(to),
                Long.MAX_VALUE,
                9);
    }

    @Test
    void usage_ofInterval_isRead() throws Exception {
        RunAccount first = new RunAccount(
                "default", "root.a", "ü€😀", "etl", new TreeMap<>(Map.of("vcore", 1_000L, "a=b", Long.MAX_VALUE)));
        RunAccount second = new RunAccount("other", "", "bob", "", new TreeMap<>());
        List<HistoryRecord> runs = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            runs.add(new RunUsage(
                    i,
                    i == 3 ? second : first,
                    "n" + i,
                    Batches.START.plusSeconds(i - 1),
                    Batches.START.plusSeconds(i),
                    i == 2 ? null : Duration.ofNanos(i),
                    RunEnd.of(i),
                    i == 4 ? null : Duration.ofNanos(1_000_000_000_000L * i)));
        }
        store.append(Batches.at(1), runs.subList(0, 2));
        store.append(Batches.at(store.lastSequence() + 1), runs.subList(2, 5));
        reopen();
        List<HistoryRecord> ofDefault = List.of(runs.get(0), runs.get(1), runs.get(3), runs.get(4));
        assertThat(usage("default", 0, 9, 9, true)).isEqualTo(ofDefault);
        assertThat(usage("other", 0, 9, 9, true)).isEqualTo(runs.subList(2, 3));
        assertThat(usage("default", 2, 4, 9, true)).isEqualTo(ofDefault.subList(1, 3));
        assertThat(usage("default", 2, 9, 3, true)).isEqualTo(ofDefault.subList(1, 2));
        assertThat(usage("default", 6, 9, 9, true)).isEmpty();
        assertThat(usage("default", 5, 9, 9, false))
                .extracting(run -> ((RunUsage) run).node())
                .containsExactly("");
        store.discard(
                Retention.DEFAULT,
                Batches.START.plus(Retention.DEFAULT.finished()).plusSeconds(5));
        assertThat(usage("default", 0, 9, 9, true)).isEqualTo(ofDefault.subList(3, 4));
        assertThat(usage("other", 0, 9, 9, true)).isEmpty();
    }

    private List<HistoryRecord> usage(String partition, int from, int to, long last, boolean nodes) throws Exception {
        List<HistoryRecord> found = new ArrayList<>();
        Instant begin = Batches.START.plusSeconds(from);
        store.usage(
                new UsageQuery(partition, begin, Batches.START.plusSeconds(to), last, nodes),
                (account, node, placed, released, waited, end, cpu) -> found.add(new RunUsage(
                        end.code(),
                        account,
                        node,
                        Columns.instant(placed),
                        Columns.instant(released),
                        waited == null ? null : Duration.ofNanos(waited),
                        end,
                        cpu == null ? null : Duration.ofNanos(cpu))));
        return found;
    }

    @Test
    void accounts_expired_areDiscarded() throws Exception {
        List<HistoryRecord> runs = new ArrayList<>();
        for (int i = 1; i <= 500; i++) {
            RunAccount account = new RunAccount("default", "root.a", "bob", "app-" + i, new TreeMap<>());
            Instant released = Batches.START.plusSeconds(i);
            runs.add(new RunUsage(i, account, "n", Batches.START, released, null, RunEnd.SUCCEEDED));
        }
        store.append(Batches.at(1), runs);
        store.discard(
                Retention.DEFAULT,
                Batches.START.plus(Retention.DEFAULT.finished()).plusSeconds(500));
        assertThat(usage("default", 0, 600, 500, false)).hasSize(1);
        execute("CREATE UNIQUE INDEX fails_for_two ON run_accounts (partition_name)");
    }

    @Test
    void stops_ofApplication_areCountedByReasonUntilItsEnd() throws Exception {
        FinishedApplication first = Batches.finished(5, "etl", "root.a", "bob", ApplicationState.COMPLETED);
        FinishedApplication second = Batches.finished(8, "etl", "root.a", "bob", ApplicationState.COMPLETED);
        FinishedApplication other = Batches.finished(9, "sum", "root.a", "bob", ApplicationState.COMPLETED);
        TaskEnd preempted = Batches.taskEnd(
                1,
                "etl",
                "t-0",
                TaskOutcome.STOPPED,
                StopReason.PRIORITY,
                new HistoryRecord.Beneficiary("root.b", "sum", "u"));
        store.append(
                Batches.at(1),
                List.of(
                        preempted,
                        Batches.taskEnd(2, "etl", "t-1", TaskOutcome.STOPPED, StopReason.PRIORITY),
                        Batches.taskEnd(3, "etl", "t-2", TaskOutcome.TIMED_OUT, StopReason.TIMEOUT),
                        Batches.taskEnd(4, "etl", "t-3", TaskOutcome.SUCCEEDED),
                        first,
                        Batches.taskEnd(6, "etl", "t-3", TaskOutcome.STOPPED, StopReason.QUOTA),
                        Batches.taskEnd(7, "sum", "t-3", TaskOutcome.STOPPED, StopReason.GANG),
                        second,
                        other));
        assertThat(store.stops(first)).isEqualTo(Map.of(StopReason.PRIORITY, 2L, StopReason.TIMEOUT, 1L));
        assertThat(store.stops(second))
                .isEqualTo(Map.of(StopReason.PRIORITY, 2L, StopReason.TIMEOUT, 1L, StopReason.QUOTA, 1L));
        assertThat(store.stops(other)).isEqualTo(Map.of(StopReason.GANG, 1L));
        assertThat(store.taskEnds(ends("etl", "t-0"))).containsExactly(preempted);
    }

    @Test
    void taskEnds_measured_keepWhatIsKnown() throws Exception {
        SortedMap<String, Long> resources = new TreeMap<>(Map.of("vcore", 2000L, "memory", 1L << 40));
        TaskEnd all = Batches.taskEnd(1, "etl", "t-0", TaskOutcome.SUCCEEDED)
                .withUse(resources, new MeasuredUse(Duration.ofNanos(1_234_567_891_234L), null, 1L << 41));
        TaskEnd some = Batches.taskEnd(2, "etl", "t-1", TaskOutcome.LOST)
                .withUse(new TreeMap<>(), new MeasuredUse(Duration.ZERO, null, null));
        TaskEnd none = Batches.taskEnd(3, "etl", "t-2", TaskOutcome.FAILED);
        store.append(Batches.at(1), List.of(all, some, none));
        assertThat(store.taskEnds(new TaskEndQuery("default", "etl", Batches.START, null, List.of(), 9, 9)))
                .containsExactly(none, some, all);
    }

    @Test
    void taskEnds_ofApplication_areFoundLastFirst() throws Exception {
        List<HistoryRecord> historyRecords = new ArrayList<>();
        historyRecords.add(Batches.taskEnd(1, "etl", "t-0", TaskOutcome.FAILED));
        historyRecords.add(Batches.taskEnd(2, "etl", "t-1", TaskOutcome.SUCCEEDED));
        historyRecords.add(Batches.taskEnd(3, "sum", "t-0", TaskOutcome.SUCCEEDED));
        historyRecords.add(Batches.taskEnd(4, "etl", "t-0", TaskOutcome.LOST));
        TaskEnd dropped = new TaskEnd(
                5,
                "default",
                "etl",
                Batches.START,
                "u",
                0,
                null,
                null,
                null,
                Batches.START.plusSeconds(5),
                TaskOutcome.STOPPED,
                null,
                "dropped",
                false,
                null,
                null);
        historyRecords.add(dropped);
        store.append(Batches.at(1), historyRecords);
        store.append(Batches.at(store.lastSequence() + 1), List.of());
        assertThat(store.taskEnds(ends("etl", null)))
                .containsExactly(dropped, (TaskEnd) historyRecords.get(3), (TaskEnd) historyRecords.get(1), (TaskEnd)
                        historyRecords.get(0));
        assertThat(ends(ends("etl", "t-0"))).containsExactly(4L, 1L);
        assertThat(ends(ends("etl", null, TaskOutcome.FAILED, TaskOutcome.LOST)))
                .containsExactly(4L, 1L);
        assertThat(ends(new TaskEndQuery("default", "etl", Batches.START, null, List.of(), 4, 1)))
                .containsExactly(2L);
        assertThat(ends(new TaskEndQuery("other", "etl", Batches.START, null, List.of(), 9, 9)))
                .isEmpty();
        assertThat(ends(new TaskEndQuery("default", "etl", Batches.START.plusNanos(1), null, List.of(), 9, 9)))
                .isEmpty();
    }

    @Test
    void taskEnds_old_areDiscarded() throws Exception {
        List<HistoryRecord> historyRecords = new ArrayList<>();
        for (int i = 1; i <= 1_000; i++) {
            historyRecords.add(Batches.taskEnd(i, "etl", "t-" + i, TaskOutcome.SUCCEEDED));
        }
        store.append(Batches.at(1), historyRecords);
        store.discard(
                Retention.DEFAULT,
                Batches.START.plus(Retention.DEFAULT.finished()).plusSeconds(900));
        assertThat(ends(ends("etl", null))).hasSize(101).endsWith(900L);
    }

    @Test
    void revisions_arePagedNewestFirst() throws Exception {
        List<HistoryRecord> revisions = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            revisions.add(new ConfigurationRevision(i, "alice", "note " + i, "partitions: []", Batches.START));
        }
        store.append(Batches.at(1), revisions);
        assertThat(store.revisions(5, 2)).isEqualTo(List.of(revisions.get(3), revisions.get(2)));
    }
}
