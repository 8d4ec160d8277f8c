package dev.sluice.server.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections whose client sends a request, or reads a large response, too slowly. An idle timeout does not
 * suffice: a client that sends a byte from time to time is never idle. While most connections are in use, it also
 * closes idle ones soon, so that others can connect.
 */
final class SlowClients extends AbstractLifeCycle implements Connection.Listener {

    /** The limits unless settings say otherwise: half a minute, then 4 KiB per second on average. */
    static final Limits DEFAULT = new Limits(Duration.ofSeconds(30), 4096);

    /** Interval of checks, and idle timeout while most connections are in use. */
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /**
     * How fast a client must be.
     *
     * @param grace the time for any request or response
     * @param bytesPerSecond the average speed after that time
     */
    record Limits(Duration grace, long bytesPerSecond) {

        boolean areExceeded(long nanos, long bytes) {
            return nanos > grace.toNanos() && bytes < nanos / 1e9 * bytesPerSecond;
        }

        /** Returns the time limit of a response of this size. */
        Duration timeLimit(long bytes) {
            return grace.plusMillis(1000 * bytes / bytesPerSecond);
        }
    }

    private final Limits limits;
    private final Duration idleMax;
    private final int connectionsMany;
    private final Scheduler scheduler = new ScheduledExecutorScheduler("slow clients", true);
    private final Set<RequestConnection> connections = ConcurrentHashMap.newKeySet();
    private boolean isCrowded;

    /**
     * @param idleMax the usual idle timeout of connections
     * @param connectionsMany the number of connections from which on it is shorter
     */
    SlowClients(Limits limits, Duration idleMax, int connectionsMany) {
        this.limits = limits;
        this.idleMax = idleMax;
        this.connectionsMany = connectionsMany;
    }

    @Override
    protected void doStart() throws Exception {
        scheduler.start();
        scheduleCheck();
    }

    @Override
    protected void doStop() throws Exception {
        scheduler.stop();
    }

    private void scheduleCheck() {
        long millis = Math.min(INTERVAL.toMillis(), limits.grace().toMillis());
        Scheduler.Task unused = scheduler.schedule(this::check, millis, TimeUnit.MILLISECONDS);
    }

    private void check() {
        try {
            long now = System.nanoTime();
            boolean wasCrowded = isCrowded;
            isCrowded = connections.size() >= connectionsMany;
            for (RequestConnection connection : connections) {
                if (isCrowded || wasCrowded) {
                    connection.getEndPoint().setIdleTimeout((isCrowded ? INTERVAL : idleMax).toMillis());
                }
                if (connection.isReceiving() && limits.areExceeded(connection.nanos(now), connection.received())) {
                    connection.getEndPoint().close(new TimeoutException("the request arrived too slowly"));
                }
            }
        } finally {
            scheduleCheck();
        }
    }

    /** Closes the connection of a response of this size unless the returned task is cancelled in time. */
    Scheduler.Task limit(EndPoint endPoint, long bytes) {
        return scheduler.schedule(
                () -> endPoint.close(new TimeoutException("the response was read too slowly")),
                limits.timeLimit(bytes).toMillis(),
                TimeUnit.MILLISECONDS);
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof RequestConnection requests) {
            connections.add(requests);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof RequestConnection requests) {
            connections.remove(requests);
        }
    }
}
