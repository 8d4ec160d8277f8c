package dev.sluice.server.notification;

import dev.sluice.config.notification.NotificationFile;
import dev.sluice.config.notification.NotificationKind;
import dev.sluice.config.notification.NotificationTarget;
import dev.sluice.config.notification.QueueThreshold;
import dev.sluice.config.notification.Webhook;
import dev.sluice.runtime.host.BusyException;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.HistoryRecorder;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.NotificationOutbox;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.metrics.ServerMetrics;
import io.micrometer.core.instrument.Counter;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The notifications of a server. Without a notification file it does nothing. */
public final class Notifications implements Projection, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);

    private static final Duration THRESHOLD_CHECKS = Duration.ofSeconds(10);
    private static final Cause CAUSE = Cause.internal("CheckThresholds");

    private final List<TargetDelivery> targets;
    private final ThresholdWatch thresholds;
    private final boolean hasThresholds;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "notify thresholds");
        thread.setDaemon(true);
        return thread;
    });

    private Notifications(List<TargetDelivery> targets, List<QueueThreshold> thresholds) {
        this.targets = List.copyOf(targets);
        this.thresholds = new ThresholdWatch(thresholds);
        this.hasThresholds = !thresholds.isEmpty();
    }

    /**
     * Creates the notifications of a file, and removes those of targets that are no longer in it.
     *
     * @param file who is notified of what; null for nobody
     * @param environment the environment variables that secrets may be read from
     * @throws StoreException if the outbox cannot be read
     * @throws IllegalStateException if a secret is missing; the message says which
     */
    public static Notifications of(
            @Nullable NotificationFile file,
            NotificationOutbox outbox,
            InstantSource clock,
            ServerMetrics metrics,
            Map<String, String> environment)
            throws StoreException {
        return of(file, outbox, clock, metrics, environment, RetrySchedule.DEFAULT);
    }

    static Notifications of(
            @Nullable NotificationFile file,
            NotificationOutbox outbox,
            InstantSource clock,
            ServerMetrics metrics,
            Map<String, String> environment,
            RetrySchedule schedule)
            throws StoreException {
        if (file == null) {
            return new Notifications(List.of(), List.of());
        }
        Secrets secrets = new Secrets(environment);
        HttpClient client = WebhookSender.client();
        List<Sender> senders = new ArrayList<>();
        for (NotificationTarget target : file.targets()) {
            senders.add(sender(target, client, clock, secrets));
        }
        SortedMap<String, Long> waiting = outbox.counts();
        List<TargetDelivery> targets = new ArrayList<>();
        for (int i = 0; i < senders.size(); i++) {
            NotificationTarget target = file.targets().get(i);
            Long count = waiting.remove(target.name());
            TargetDelivery delivery = new TargetDelivery(
                    target,
                    senders.get(i),
                    outbox,
                    count == null ? 0 : count,
                    clock,
                    schedule,
                    new DeliveryMetrics(metrics, target.name()));
            metrics.gauge(
                    "sluice.notifications.waiting",
                    "Notifications that wait for their delivery.",
                    "target",
                    target.name(),
                    delivery::waiting);
            targets.add(delivery);
        }
        for (Map.Entry<String, Long> removed : waiting.entrySet()) {
            LOG.warn(
                    "notifications dropped: target={} count={} reason=\"not in the notification file\"",
                    removed.getKey(),
                    removed.getValue());
            outbox.removeAll(removed.getKey());
        }
        return new Notifications(targets, file.thresholds());
    }

    private static Sender sender(NotificationTarget target, HttpClient client, InstantSource clock, Secrets secrets) {
        Webhook webhook = target.webhook();
        if (webhook == null) {
            return new CommandSender(target.command(), target.timeout(), NotificationContent::variables);
        }
        WebhookSender sender = new WebhookSender(client, webhook, target.timeout(), clock, secrets);
        try {
            sender.check();
        } catch (DeliveryException e) {
            throw new IllegalStateException("target \"" + target.name() + "\" of the notifications: " + e.getMessage());
        }
        return sender;
    }

    /** Counts the deliveries of a target in the metrics. */
    private static final class DeliveryMetrics implements TargetDelivery.Counts {

        private final Counter delivered;
        private final Counter failed;
        private final Counter dropped;

        DeliveryMetrics(ServerMetrics metrics, String target) {
            delivered = metrics.counter("sluice.notifications.delivered", "Notifications delivered.", "target", target);
            failed = metrics.counter(
                    "sluice.notifications.failed", "Attempts to deliver notifications that failed.", "target", target);
            dropped = metrics.counter(
                    "sluice.notifications.dropped", "Notifications given up or not accepted.", "target", target);
        }

        @Override
        public void delivered() {
            delivered.increment();
        }

        @Override
        public void failed() {
            failed.increment();
        }

        @Override
        public void dropped(long count) {
            dropped.increment((double) count);
        }
    }

    /** Returns a recorder that also records notifications. */
    public HistoryRecorder recorder(HistoryRecorder historyRecords) {
        return targets.isEmpty() ? historyRecords : new NotificationRecorder(historyRecords, targets);
    }

    /** Starts deliveries and the observation of thresholds. */
    public void start(EngineHost host) {
        targets.forEach(TargetDelivery::start);
        if (hasThresholds) {
            timer.execute(() -> execute(host, this::warnOfMissingQueues));
            ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                    () -> execute(host, this::checkThresholds),
                    THRESHOLD_CHECKS.toMillis(),
                    THRESHOLD_CHECKS.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    private interface Check {
        void in(TransactionContext context);
    }

    private void execute(EngineHost host, Check check) {
        try {
            CompletableFuture<Boolean> checked = host.submit(CAUSE, context -> {
                check.in(context);
                return true;
            });
            if (checked.get()) {
                targets.forEach(TargetDelivery::wake);
            }
        } catch (BusyException | ExecutionException e) {
            LOG.debug("thresholds not checked, retrying: reason={}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void warnOfMissingQueues(TransactionContext context) {
        thresholds
                .withoutQueue(context.scheduler())
                .forEach(threshold -> LOG.warn(
                        "threshold of a queue that does not exist yet: partition={} queue={}",
                        threshold.partition(),
                        threshold.queue()));
    }

    /** Checks all thresholds and writes notifications of those that were crossed. */
    void checkThresholds(TransactionContext context) {
        for (ThresholdWatch.Crossing crossing : thresholds.check(context.scheduler(), context.now())) {
            NotificationContent content =
                    NotificationContent.of(NotificationKind.QUEUE_THRESHOLD, null, crossing.event());
            for (TargetDelivery target : targets) {
                if (target.target()
                                .wants(
                                        NotificationKind.QUEUE_THRESHOLD,
                                        crossing.threshold().queue(),
                                        "",
                                        "")
                        && target.admit()) {
                    context.addHistoryRecord(new HistoryRecord.Notification(
                            HistoryRecord.Notification.NO_EVENT,
                            target.target().name(),
                            content.id(),
                            context.now(),
                            content.json()));
                }
            }
        }
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        targets.forEach(TargetDelivery::wakeIfAdmitted);
    }

    /** Returns which targets fail and why; empty if none, null if there are no targets. */
    public @Nullable String problem() {
        return targets.isEmpty()
                ? null
                : targets.stream()
                        .map(TargetDelivery::problem)
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining("; "));
    }

    /** Ends deliveries. */
    @Override
    public void close() {
        timer.shutdownNow();
        targets.forEach(TargetDelivery::close);
    }
}
