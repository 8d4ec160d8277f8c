package dev.sluice.server;

import dev.sluice.runtime.host.HostListener;
import dev.sluice.runtime.host.NodeProvider;
import dev.sluice.runtime.journal.CheckpointListener;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.HealthView;
import dev.sluice.server.store.Reserve;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tracks the server's health and logs its changes. Thread-safe. */
final class HealthMonitor implements HostListener {

    private static final Logger LOG = LoggerFactory.getLogger(HealthMonitor.class);

    private final Instant since;
    private final HostListener next;
    private final Reserve reserve;
    private final String limits;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private volatile @Nullable String stall;
    private volatile @Nullable String checkpointProblem;
    private volatile long checkpoint;
    private volatile @Nullable String startProblem;
    private final Supplier<@Nullable String> notifications;
    private final @Nullable NodeProvider provider;
    private final Map<Path, String> notRemoved = new ConcurrentSkipListMap<>();

    /**
     * Creates a monitor.
     *
     * @param since the start time of the server
     * @param next receives all loop notifications too
     * @param limits which limits of tasks are enforced, and how; empty if this machine runs no tasks
     * @param notifications returns which targets of notifications fail; empty if none, null if there are no targets
     * @param provider provides nodes from elsewhere; null if there are none
     */
    HealthMonitor(
            Instant since,
            HostListener next,
            Reserve reserve,
            String limits,
            Supplier<@Nullable String> notifications,
            @Nullable NodeProvider provider) {
        this.provider = provider;
        this.notifications = notifications;
        this.since = since;
        this.next = next;
        this.reserve = reserve;
        this.limits = limits;
    }

    /** Returns why no more work is accepted although the journal can be written, or null. */
    @Nullable String diskFullReason() {
        return stall == null ? reserve.problem() : null;
    }

    /** Returns a future that completes with the cause when the server fails fatally. */
    CompletableFuture<Throwable> failure() {
        return failure;
    }

    /** Returns whether the journal can be written and the server has not failed. */
    boolean isReady() {
        return stall == null && !failure.isDone();
    }

    /**
     * Returns the health to report.
     *
     * @param sequence the last event in the journal
     * @param waiting the number of queued requests
     * @param running the number of tasks running on this machine
     * @param memory why memory is exhausted, or null
     */
    HealthView view(long sequence, int waiting, int running, @Nullable String memory) {
        Map<String, String> parts = new LinkedHashMap<>();
        String stalled = stall;
        String failed = failure.isDone() ? String.valueOf(failure.join().getMessage()) : null;
        String checkpoints = checkpointProblem;
        parts.put("journal", stalled == null ? "ok" : stalled);
        parts.put(
                "checkpoints",
                checkpoints != null ? checkpoints : checkpoint == 0 ? "none yet" : "up to event " + checkpoint);
        parts.put("scheduler", failed == null ? waiting + " queued requests" : failed);
        parts.put("memory", memory == null ? "ok" : memory);
        String noStart = startProblem;
        parts.put("tasks", running + " running on this machine" + (noStart == null ? "" : "; " + noStart));
        if (!limits.isEmpty()) {
            parts.put("limits", limits);
        }
        String diskFullReason = diskFullReason();
        if (diskFullReason != null) {
            parts.put("disk", diskFullReason);
        }
        String folders = unremovedFolders();
        if (folders != null) {
            parts.put("folders", folders);
        }
        String targets = notifications.get();
        if (targets != null) {
            parts.put("notifications", targets.isEmpty() ? "ok" : targets);
        }
        String unreachable = provider == null ? null : provider.problem();
        if (provider != null) {
            parts.put(provider.name(), unreachable == null ? "ok" : unreachable);
        }
        boolean isDegraded = noStart != null || diskFullReason != null || unreachable != null;
        String status = failed != null ? "down" : stalled != null ? "stalled" : isDegraded ? "degraded" : "up";
        String detail = Stream.of(failed, stalled, memory, diskFullReason, noStart, unreachable, folders, targets)
                .filter(part -> part != null && !part.isEmpty())
                .findFirst()
                .orElse("");
        return new HealthView(status, detail, parts, since, sequence);
    }

    private @Nullable String unremovedFolders() {
        return notRemoved.entrySet().stream()
                .findFirst()
                .map(first -> notRemoved.size() + " task folders could not be removed, such as " + first.getKey() + " ("
                        + first.getValue() + "); remove them manually")
                .orElse(null);
    }

    /**
     * Records that tasks cannot be started on this machine, or can be again.
     *
     * @param reason why tasks cannot be started; null if they can be started again
     */
    void startProblemChanged(@Nullable String reason) {
        String before = startProblem;
        startProblem = reason == null
                ? null
                : "tasks cannot be started on this machine: " + reason
                        + "; its node is suspended until a periodic probe succeeds";
        if (reason == null) {
            LOG.info("tasks can be started on this machine again, node resumed");
        } else if (before == null) {
            LOG.error("tasks cannot be started on this machine, node suspended: reason={}", reason);
        }
    }

    /** Records that a folder left by a run could not be removed and was moved aside. */
    void notRemoved(Path folder, String reason) {
        notRemoved.put(folder, reason);
        LOG.warn("task folder could not be removed: folder={} reason={}", folder, reason);
    }

    @Override
    public void stalled(StoreException reason) {
        if (reason.kind() == StoreException.Kind.FULL) {
            boolean unused = reserve.release();
        }
        stall = "cannot write the journal, nothing is acknowledged: " + reason.getMessage();
        LOG.error("cannot write the journal, nothing is acknowledged, retrying: reason={}", reason.getMessage());
        next.stalled(reason);
    }

    @Override
    public void resumed() {
        stall = null;
        LOG.info("journal writable again");
        reserve.recreateAsync();
        next.resumed();
    }

    @Override
    public void batchCompleted(int transactions, int events, long decideNanos, long commitNanos) {
        next.batchCompleted(transactions, events, decideNanos, commitNanos);
    }

    @Override
    public void failed(Throwable reason) {
        if (failure.complete(reason)) {
            LOG.error("the server failed fatally", reason);
            next.failed(reason);
        }
    }

    /** A failed checkpoint degrades nothing else; it is no failure of the host. */
    CheckpointListener checkpoints(ExpiredLogs logs) {
        return new CheckpointListener() {
            @Override
            public void discarding(Instant before) throws StoreException {
                logs.remove(before);
            }

            @Override
            public void made(long sequence, Instant at, Duration took) {
                checkpoint = sequence;
                checkpointProblem = null;
                LOG.info("checkpoint written: event={} millis={}", sequence, took.toMillis());
            }

            @Override
            public void failed(Throwable problem) {
                checkpointProblem = "checkpoints fail: " + problem.getMessage();
                LOG.error("checkpoint failed, retrying later", problem);
            }

            @Override
            public void unreadable(long sequence, Exception problem) {
                LOG.error("checkpoint unreadable, falling back to the previous one: event={}", sequence, problem);
            }
        };
    }
}
