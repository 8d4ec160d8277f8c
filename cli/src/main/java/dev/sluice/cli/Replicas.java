package dev.sluice.cli;

import dev.sluice.kubernetes.lease.LeaseElection;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.DaemonSettings;
import dev.sluice.server.ReplicaSettings;
import dev.sluice.server.StandbyServer;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits until this server may open the journal, and answers meanwhile; several servers have one journal. */
final class Replicas implements AutoCloseable {

    private static final long RETRY_MILLIS = 1_000;

    private final boolean isStandby;
    private final @Nullable LeaseElection election;
    private final DaemonSettings settings;
    private final Consumer<String> messages;
    private @Nullable StandbyServer listening;

    /** Why the journal could not be opened; empty before the first attempt. */
    private volatile String inUse = "";

    /**
     * Creates the replicas.
     *
     * @param isStandby whether to wait while another server uses the journal
     * @param election elects the server that opens the journal; null if there is no election
     * @param messages receives messages to the user
     */
    Replicas(boolean isStandby, @Nullable LeaseElection election, DaemonSettings settings, Consumer<String> messages) {
        this.isStandby = isStandby;
        this.election = election;
        this.settings = settings;
        this.messages = messages;
    }

    /** Returns whether this server may send requests to the cluster. */
    BooleanSupplier permitted() {
        return election == null ? () -> true : election::isLeader;
    }

    /** Returns a future that completes, with the reason, when this server must end because another one may begin. */
    CompletableFuture<String> lost() {
        return election == null ? new CompletableFuture<>() : election.lost();
    }

    /** Returns whether this server was the leader and is not any more. */
    boolean isReplaced() {
        return election != null && election.elected().isDone() && !election.isLeader();
    }

    /** Returns whether this server may have to wait before it opens the journal. */
    boolean isWaiting() {
        return isStandby || election != null;
    }

    /** Returns how to open the journal. */
    ReplicaSettings settings() {
        return new ReplicaSettings(election != null, this::stopListening);
    }

    /**
     * Waits until the journal is to be opened; begins to answer for a server that waits.
     *
     * @param ended completes when the server is to end
     * @return false if the server is to end
     */
    boolean await(CompletableFuture<Void> ended) throws StoreException, IOException, InterruptedException {
        if (election != null) {
            listen();
            await(CompletableFuture.anyOf(election.elected(), ended), Long.MAX_VALUE);
        } else if (!inUse.isEmpty()) {
            listen();
            await(ended, RETRY_MILLIS);
        }
        return !ended.isDone();
    }

    private static void await(CompletableFuture<?> future, long millis) throws InterruptedException {
        try {
            Object unused = future.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns whether to try again because another server uses the journal. */
    boolean isRetried(StoreException problem) {
        if (!isStandby || problem.kind() != StoreException.Kind.IN_USE) {
            return false;
        }
        inUse = String.valueOf(problem.getMessage());
        return true;
    }

    private void listen() throws StoreException, IOException {
        if (listening == null) {
            StandbyServer started = StandbyServer.start(settings, InstantSource.system(), this::reason);
            listening = started;
            messages.accept("on standby, port " + started.port());
        }
    }

    private String reason() {
        if (election == null) {
            return inUse;
        }
        if (election.isLeader()) {
            return "it is starting as the leader";
        }
        String holder = election.holder();
        return holder.isEmpty() ? "there is no leader yet" : "the leader is " + holder;
    }

    private void stopListening() {
        if (listening != null) {
            listening.close();
            listening = null;
        }
    }

    /** Stops answering and takes no part in the election any more. Close the server before. */
    @Override
    public void close() {
        stopListening();
        if (election != null) {
            election.close();
        }
    }
}
