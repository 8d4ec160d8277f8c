package dev.sluice.kubernetes.lease;

import dev.sluice.kubernetes.cluster.KubernetesClients;
import dev.sluice.kubernetes.request.ApiRequests;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes part in the election of a leader, on a thread of its own. A server is leader at most once: when it cannot renew
 * the lease in time, or another server has it, it must end.
 */
public final class LeaseElection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseElection.class);

    private final LeaseSettings settings;
    private final AutoCloseable client;
    private final LeaseCandidate candidate;
    private final Runnable expired;
    private final CompletableFuture<Void> elected = new CompletableFuture<>();
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "lease");
    private final @Nullable LeaderPod pod;
    private String problem = "";

    /**
     * Begins to take part.
     *
     * @param kubeconfig how to reach the API server; null as for
     *     {@link dev.sluice.kubernetes.cluster.KubernetesCluster#of}
     * @param expired called if a lost lease has ended and the election was not closed before: the last resort
     * @throws IOException if there is no such file, or it cannot be read
     */
    public static LeaseElection start(@Nullable Path kubeconfig, LeaseSettings settings, Runnable expired)
            throws IOException {
        KubernetesClient client = KubernetesClients.of(kubeconfig, settings.timeout());
        String namespace = client.getNamespace() == null ? "default" : client.getNamespace();
        ApiRequests requests = new ApiRequests(client);
        Leases leases = new ApiLeases(requests, namespace, settings.name());
        LeaseElection election = new LeaseElection(
                settings,
                client,
                new LeaseCandidate(leases, settings, System::nanoTime, InstantSource.system()),
                settings.pod() == null ? null : new LeaderPod(requests, namespace, settings.name(), settings.pod()),
                expired);
        election.thread.setDaemon(true);
        election.thread.start();
        return election;
    }

    private LeaseElection(
            LeaseSettings settings,
            AutoCloseable client,
            LeaseCandidate candidate,
            @Nullable LeaderPod pod,
            Runnable expired) {
        this.settings = settings;
        this.client = client;
        this.candidate = candidate;
        this.pod = pod;
        this.expired = expired;
    }

    /** Returns a future that completes when this server is the leader. */
    public CompletableFuture<Void> elected() {
        return elected;
    }

    /** Returns a future that completes, with the reason, when this server is the leader no longer. */
    public CompletableFuture<String> lost() {
        return lost;
    }

    /** Returns whether this server is the leader at this moment. Thread-safe, and cheap. */
    public boolean isLeader() {
        return candidate.isLeader();
    }

    /** Returns who held the lease last; empty if nobody is known. */
    public String holder() {
        return candidate.holder();
    }

    private void run() {
        try {
            while (closed.getCount() > 0) {
                boolean isRenewed = attempt();
                if (lost.isDone()) {
                    awaitEnd();
                    return;
                }
                boolean unused = closed.await(
                        (isRenewed ? settings.renewal() : settings.retry()).toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether this server holds the lease, and has just renewed it. */
    private boolean attempt() {
        if (elected.isDone() && !candidate.isLeader()) {
            lose("the lease " + settings.name() + " was not renewed for "
                    + settings.deadline().toMillis() + " ms" + (problem.isEmpty() ? "" : ": " + problem));
            return false;
        }
        boolean isHeld;
        try {
            isHeld = candidate.attempt();
            problem = "";
        } catch (IOException e) {
            report(String.valueOf(e.getMessage()));
            return false;
        }
        if (isHeld && candidate.isLeader() && !elected.isDone()) {
            LOG.info("lease acquired: lease={} identity={}", settings.name(), settings.identity());
            elected.complete(null);
            if (pod != null) {
                Thread labels = new Thread(() -> label(pod), "leader-label");
                labels.setDaemon(true);
                labels.start();
            }
        } else if (!isHeld && elected.isDone()) {
            lose("the lease " + settings.name() + " was taken over by " + candidate.holder());
        }
        return isHeld;
    }

    /** Labels the pod of this server; tries again as long as it is the leader. */
    private void label(LeaderPod leader) {
        String failure = "";
        try {
            do {
                try {
                    leader.label();
                    return;
                } catch (IOException e) {
                    String reason = String.valueOf(e.getMessage());
                    if (!reason.equals(failure)) {
                        failure = reason;
                        LOG.warn(
                                "cannot label the pod of the leader, retrying: pod={} reason={}",
                                settings.pod(),
                                reason);
                    }
                }
            } while (!closed.await(settings.retry().toNanos(), TimeUnit.NANOSECONDS) && isLeader());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report(String reason) {
        if (!reason.equals(problem)) {
            problem = reason;
            LOG.warn("cannot acquire or renew the lease, retrying: lease={} reason={}", settings.name(), reason);
        }
    }

    private void lose(String reason) {
        LOG.error("lease lost: reason={}", reason);
        lost.complete(reason);
    }

    /** Leaves the time until the lease ends for an orderly end of the program. */
    private void awaitEnd() throws InterruptedException {
        if (!closed.await(candidate.end() - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            expired.run();
        }
    }

    /** Stops taking part, and releases the lease for the next leader. Close what needs the lease before. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(settings.duration().toMillis());
            if (!lost.isDone()) {
                candidate.release();
            }
            client.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.warn(
                    "the lease was not released; it ends by itself: lease={} reason={}",
                    settings.name(),
                    e.getMessage());
        }
    }
}
