package dev.sluice.runtime.testing;

import dev.sluice.core.application.StopReason;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.NotificationOutbox;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.TaskEndQuery;
import dev.sluice.runtime.journal.UsageQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The history records of a {@link MemoryStore}, and what queries find among them. Thread-safe. */
final class MemoryHistory {

    private final List<HistoryRecord> records = new ArrayList<>();

    /** Throws if an operation is to fail. */
    @FunctionalInterface
    interface Fault {
        void raise() throws StoreException;
    }

    synchronized void add(List<HistoryRecord> added) {
        for (HistoryRecord each : added) {
            if (each instanceof HistoryRecord.ForgottenApplication forgotten) {
                records.removeIf(before -> before instanceof HistoryRecord.FinishedApplication application
                        && application.partition().equals(forgotten.partition())
                        && application.id().equals(forgotten.id())
                        && application.user().equals(forgotten.user()));
            } else {
                records.add(each);
            }
        }
    }

    synchronized void remove(Collection<? extends HistoryRecord> removed) {
        records.removeAll(removed);
    }

    synchronized void discard(Retention retention, Instant now) {
        records.removeIf(historyRecord -> isOld(historyRecord, retention, now));
    }

    /** Returns all records in the order of writing. */
    synchronized List<HistoryRecord> all() {
        return List.copyOf(records);
    }

    private <T extends HistoryRecord> List<T> records(Class<T> kind) {
        return all().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static boolean isOld(HistoryRecord historyRecord, Retention retention, Instant now) {
        if (historyRecord instanceof HistoryRecord.IdempotencyRecord record) {
            return record.at().isBefore(now.minus(retention.idempotency()));
        }
        Instant ended = historyRecord instanceof HistoryRecord.FinishedApplication finished
                ? finished.ended()
                : historyRecord instanceof HistoryRecord.TaskEnd end
                        ? end.ended()
                        : historyRecord instanceof HistoryRecord.RunUsage run ? run.released() : Instant.MAX;
        return ended.isBefore(now.minus(retention.finished()));
    }

    List<HistoryRecord.IdempotencyRecord> idempotencyRecords(Instant since, int limit) {
        List<HistoryRecord.IdempotencyRecord> found = records(HistoryRecord.IdempotencyRecord.class).stream()
                .filter(record -> !record.at().isBefore(since))
                .toList();
        return found.subList(Math.max(0, found.size() - limit), found.size());
    }

    List<HistoryRecord.FinishedApplication> finished(FinishedQuery query) {
        Comparator<HistoryRecord.FinishedApplication> order = query.order().comparator();
        HistoryRecord.FinishedApplication after = query.order().after();
        return records(HistoryRecord.FinishedApplication.class).stream()
                .filter(finished -> finished.sequence() < query.before()
                        && (query.partition() == null || finished.partition().equals(query.partition()))
                        && (query.id() == null || finished.id().equals(query.id()))
                        && (query.submitted() == null || finished.submitted().equals(query.submitted()))
                        && (query.queue() == null || (finished.queue() + ".").startsWith(query.queue() + "."))
                        && (query.name() == null || finished.name().equals(query.name()))
                        && (query.from() == null || !finished.ended().isBefore(query.from()))
                        && (query.to() == null || finished.ended().isBefore(query.to()))
                        && (query.user() == null || finished.user().equals(query.user()))
                        && (query.state() == null || finished.state() == query.state()))
                .filter(finished -> after == null || order.compare(finished, after) > 0)
                .sorted(order)
                .limit(query.limit())
                .toList();
    }

    List<HistoryRecord.TaskEnd> taskEnds(TaskEndQuery query) {
        return records(HistoryRecord.TaskEnd.class).stream()
                .filter(end -> end.sequence() < query.before()
                        && end.partition().equals(query.partition())
                        && end.application().equals(query.application())
                        && end.submitted().equals(query.submitted())
                        && (query.task() == null || end.task().equals(query.task()))
                        && (query.outcomes().isEmpty() || query.outcomes().contains(end.outcome())))
                .sorted(Comparator.comparingLong(HistoryRecord.TaskEnd::sequence)
                        .reversed())
                .limit(query.limit())
                .toList();
    }

    Map<StopReason, Long> stops(HistoryRecord.FinishedApplication application) {
        return records(HistoryRecord.TaskEnd.class).stream()
                .filter(end -> end.stopReason() != null
                        && end.sequence() < application.sequence()
                        && end.partition().equals(application.partition())
                        && end.application().equals(application.id())
                        && end.submitted().equals(application.submitted()))
                .collect(Collectors.groupingBy(HistoryRecord.TaskEnd::stopReason, Collectors.counting()));
    }

    void usage(UsageQuery query, UsageQuery.UsageReader reader) throws StoreException {
        for (HistoryRecord.RunUsage run : records(HistoryRecord.RunUsage.class)) {
            if (run.account().partition().equals(query.partition())
                    && run.sequence() <= query.last()
                    && !run.released().isBefore(query.from())
                    && run.placed().isBefore(query.to())) {
                reader.read(
                        run.account(),
                        run.node(),
                        nanos(run.placed()),
                        nanos(run.released()),
                        run.waited() == null ? null : run.waited().toNanos(),
                        run.end(),
                        run.cpuTime() == null ? null : run.cpuTime().toNanos());
            }
        }
    }

    private static long nanos(Instant instant) {
        return Duration.between(Instant.EPOCH, instant).toNanos();
    }

    List<HistoryRecord.ConfigurationRevision> revisions(long before, int limit) {
        List<HistoryRecord.ConfigurationRevision> revisions =
                new ArrayList<>(records(HistoryRecord.ConfigurationRevision.class));
        Collections.reverse(revisions);
        return revisions.stream()
                .filter(revision -> revision.revision() < before)
                .limit(limit)
                .toList();
    }

    /**
     * Returns the notifications among the records.
     *
     * @param lookUp called before reading
     * @param append called before writing
     */
    NotificationOutbox outbox(Fault lookUp, Fault append) {
        return new Outbox(this, lookUp, append);
    }

    /** The notifications among the records. */
    private record Outbox(MemoryHistory history, Fault lookUp, Fault append) implements NotificationOutbox {

        @Override
        public List<HistoryRecord.Notification> first(String target, int limit) throws StoreException {
            lookUp.raise();
            return history.records(HistoryRecord.Notification.class).stream()
                    .filter(notification -> notification.target().equals(target))
                    .sorted(Comparator.comparing(HistoryRecord.Notification::at)
                            .thenComparing(HistoryRecord.Notification::sequence)
                            .thenComparing(HistoryRecord.Notification::id))
                    .limit(limit)
                    .toList();
        }

        @Override
        public void remove(List<HistoryRecord.Notification> notifications) throws StoreException {
            append.raise();
            history.remove(notifications);
        }

        @Override
        public void removeAll(String target) throws StoreException {
            remove(first(target, Integer.MAX_VALUE));
        }

        @Override
        public SortedMap<String, Long> counts() throws StoreException {
            SortedMap<String, Long> counts = new TreeMap<>();
            lookUp.raise();
            history.records(HistoryRecord.Notification.class)
                    .forEach(notification -> counts.merge(notification.target(), 1L, Long::sum));
            return counts;
        }
    }
}
