package dev.sluice.server.notification;

import dev.sluice.config.notification.NotificationTarget;
import dev.sluice.runtime.journal.HistoryRecord.Notification;
import dev.sluice.runtime.journal.NotificationOutbox;
import dev.sluice.runtime.journal.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the notifications of one target from the outbox. One thread owns the {@link DeliveryWindow} and accesses the
 * outbox; others send. Nothing that the scheduler's thread calls waits for them.
 */
final class TargetDelivery implements AutoCloseable {

    /** The maximum number of notifications that wait for a target; further ones are dropped. */
    static final long WAITING_MAX = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(TargetDelivery.class);

    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Duration STORE_RETRY = Duration.ofSeconds(5);
    private static final Duration END = Duration.ofSeconds(5);

    /** What happened to deliveries. */
    interface Counts {
        /** One was delivered. */
        void delivered();

        /** One failed. */
        void failed();

        /** Some were dropped. */
        void dropped(long count);
    }

    /** The end of a delivery; {@code reason} is null if it succeeded. */
    private record Sent(Notification notification, @Nullable String reason) {}

    private final NotificationTarget target;
    private final Sender sender;
    private final NotificationOutbox outbox;
    private final InstantSource clock;
    private final Counts counts;
    private final DeliveryWindow window;
    private final BlockingQueue<Runnable> signals = new LinkedBlockingQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicLong waiting;
    private final ExecutorService senders;
    private final Thread thread;
    private final List<Notification> finished = new ArrayList<>(); // delivered or dropped, still in the outbox
    private int inFlight;
    private boolean mayHaveMore = true;
    private boolean storeFailed;
    private volatile boolean closed;
    private volatile @Nullable String problem;
    private boolean overflowing; // only on the scheduler's thread
    private boolean admitted; // only on the scheduler's thread

    /**
     * Creates a delivery.
     *
     * @param waiting the number of notifications in the outbox
     */
    TargetDelivery(
            NotificationTarget target,
            Sender sender,
            NotificationOutbox outbox,
            long waiting,
            InstantSource clock,
            RetrySchedule schedule,
            Counts counts) {
        this.target = target;
        this.sender = sender;
        this.outbox = outbox;
        this.waiting = new AtomicLong(waiting);
        this.clock = clock;
        this.counts = counts;
        this.window = new DeliveryWindow(schedule, target.giveUp());
        this.senders = Executors.newFixedThreadPool(target.concurrency(), this::daemon);
        this.thread = daemon(this::run);
    }

    private Thread daemon(Runnable runnable) {
        Thread daemon = new Thread(runnable, "notify " + target.name());
        daemon.setDaemon(true);
        return daemon;
    }

    void start() {
        thread.start();
    }

    NotificationTarget target() {
        return target;
    }

    /** Returns the number of notifications that wait. */
    long waiting() {
        return waiting.get();
    }

    /** Returns why deliveries fail, or null. */
    @Nullable String problem() {
        String reason = problem;
        return reason == null
                ? null
                : "target \"" + target.name() + "\" fails: " + reason + "; " + waiting() + " waiting";
    }

    /**
     * Counts a notification that is about to be written to the outbox; returns false if it must be dropped. Only on the
     * scheduler's thread.
     */
    boolean admit() {
        if (waiting.get() >= WAITING_MAX) {
            counts.dropped(1);
            if (!overflowing) {
                overflowing = true;
                LOG.error("notifications dropped: target={} reason=\"{} are waiting\"", target.name(), WAITING_MAX);
            }
            return false;
        }
        overflowing = false;
        waiting.incrementAndGet();
        admitted = true;
        return true;
    }

    /** Calls {@link #wake} if a notification was admitted since the last call. Only on the scheduler's thread. */
    void wakeIfAdmitted() {
        if (admitted) {
            admitted = false;
            wake();
        }
    }

    /** Looks for new notifications in the outbox soon. Does not wait. */
    void wake() {
        if (woken.compareAndSet(false, true)) {
            signals.add(() -> {
                woken.set(false);
                mayHaveMore = true;
            });
        }
    }

    private void run() {
        try {
            while (!closed) {
                Instant now = clock.instant();
                exchange(now);
                startDue(now);
                Runnable signal = signals.poll(pauseMillis(now), TimeUnit.MILLISECONDS);
                mayHaveMore |= signal == null;
                for (; signal != null; signal = signals.poll()) {
                    signal.run();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("delivery interrupted: target={}", target.name());
        }
    }

    /** Removes what is finished from the outbox, and takes more from it when nothing else is due. */
    private void exchange(Instant now) {
        try {
            if (finished.size() >= DeliveryWindow.SIZE_MAX) {
                flush();
            }
            boolean dropped = false;
            while (mayHaveMore && !window.isFull() && (dropped || isIdle(now))) {
                flush();
                List<Notification> first = outbox.first(target.name(), DeliveryWindow.SIZE_MAX);
                mayHaveMore = first.size() == DeliveryWindow.SIZE_MAX;
                window.add(first);
                dropped = drop(now) > 0;
            }
            if (inFlight == 0 && isIdle(now)) {
                flush();
            }
            storeFailed = false;
        } catch (StoreException e) {
            if (!storeFailed) {
                LOG.warn("notifications unavailable, retrying: target={} reason={}", target.name(), e.getMessage());
            }
            storeFailed = true;
        }
    }

    private boolean isIdle(Instant now) {
        Instant due = window.nextDue();
        return due == null || due.isAfter(now);
    }

    private void flush() throws StoreException {
        if (!finished.isEmpty()) {
            outbox.remove(finished);
            waiting.addAndGet(-finished.size());
            finished.clear();
        }
    }

    private int drop(Instant now) {
        List<Notification> expired = window.takeExpired(now);
        if (!expired.isEmpty()) {
            finished.addAll(expired);
            counts.dropped(expired.size());
            LOG.error(
                    "notifications dropped: target={} count={} first={} reason={}",
                    target.name(),
                    expired.size(),
                    expired.get(0).id(),
                    problem);
        }
        return expired.size();
    }

    private void startDue(Instant now) {
        while (inFlight < target.concurrency()) {
            Notification next = window.take(now);
            if (next == null) {
                return;
            }
            inFlight++;
            try {
                senders.execute(() -> send(next));
            } catch (RejectedExecutionException e) {
                return; // closed
            }
        }
    }

    private void send(Notification notification) {
        String reason = null;
        try {
            sender.send(notification.id(), notification.content());
        } catch (DeliveryException e) {
            reason = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            return; // closed
        } catch (RuntimeException e) {
            LOG.error("delivery failed unexpectedly: target={}", target.name(), e);
            reason = e.getClass().getSimpleName();
        }
        Sent sent = new Sent(notification, reason);
        signals.add(() -> ended(sent));
    }

    private void ended(Sent sent) {
        inFlight--;
        Instant now = clock.instant();
        String reason = sent.reason();
        if (reason == null) {
            window.delivered(sent.notification());
            finished.add(sent.notification());
            counts.delivered();
            if (problem != null) {
                LOG.info("delivery succeeded again: target={}", target.name());
            }
            problem = null;
            return;
        }
        window.failed(sent.notification(), now);
        counts.failed();
        if (problem == null) {
            LOG.warn("delivery failed, retrying: target={} reason={}", target.name(), reason);
        }
        problem = reason;
        int unused = drop(now);
    }

    private long pauseMillis(Instant now) {
        Duration pause = storeFailed ? STORE_RETRY : IDLE;
        Instant due = inFlight < target.concurrency() ? window.nextDue() : null;
        if (due != null && !storeFailed) {
            Duration until = due.isAfter(now) ? Duration.between(now, due).plusMillis(1) : Duration.ZERO;
            pause = until.compareTo(pause) < 0 ? until : pause;
        }
        return pause.toMillis();
    }

    /** Ends deliveries. What was not delivered stays in the outbox. */
    @Override
    public void close() {
        closed = true;
        senders.shutdownNow();
        signals.add(() -> {});
        try {
            boolean unused = senders.awaitTermination(END.toMillis(), TimeUnit.MILLISECONDS);
            thread.join(END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!thread.isAlive()) {
            for (Runnable signal = signals.poll(); signal != null; signal = signals.poll()) {
                signal.run();
            }
            try {
                flush();
            } catch (StoreException e) {
                LOG.warn("delivered notifications will be sent again: target={}", target.name());
            }
        }
    }
}
