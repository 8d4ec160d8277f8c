package dev.sluice.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.internal.AbstractWatchManager;
import io.fabric8.kubernetes.client.informers.impl.ListerWatcher;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lists and watches of an informer, whose watch is opened again after it was silent for too long.
 *
 * <p>An API server sends a bookmark about every minute where nothing changes, so a watch that receives neither events
 * nor bookmarks has lost its connection. It continues after the last version that it has received.
 */
final class RenewedWatch<T extends HasMetadata, L> implements ListerWatcher<T, L> {

    private static final Logger LOG = LoggerFactory.getLogger(RenewedWatch.class);

    /** How long the end of a connection is awaited before the next one is opened. */
    private static final int END_MILLIS = (int) TimeUnit.SECONDS.toMillis(1);

    private final String name;
    private final ListerWatcher<T, L> origin;
    private final long silenceNanosMax;
    private @Nullable CompletableFuture<AbstractWatchManager<T>> current;
    private long heard;

    /**
     * Creates a watch that is not open.
     *
     * @param name what is watched
     * @param origin lists and watches
     * @param silenceMax how long a watch may receive nothing
     */
    RenewedWatch(String name, ListerWatcher<T, L> origin, Duration silenceMax) {
        this.name = name;
        this.origin = origin;
        this.silenceNanosMax = silenceMax.toNanos();
    }

    @Override
    public CompletableFuture<AbstractWatchManager<T>> submitWatch(ListOptions options, Watcher<T> watcher) {
        CompletableFuture<AbstractWatchManager<T>> opened = origin.submitWatch(options, new Listener(watcher));
        synchronized (this) {
            heard = System.nanoTime();
            current = opened;
        }
        return opened.thenApply(watch -> {
            watch.setWatchEndCheckMs(END_MILLIS);
            return watch;
        });
    }

    @Override
    public CompletableFuture<L> submitList(ListOptions options) {
        return origin.submitList(options);
    }

    @Override
    public Long getLimit() {
        return origin.getLimit();
    }

    @Override
    public int getWatchReconnectInterval() {
        return origin.getWatchReconnectInterval();
    }

    @Override
    public String getApiEndpointPath() {
        return origin.getApiEndpointPath();
    }

    @Override
    public Config getConfig() {
        return origin.getConfig();
    }

    private synchronized void hear() {
        heard = System.nanoTime();
    }

    /** Opens the watch again if it has been silent for too long. */
    void check() {
        CompletableFuture<AbstractWatchManager<T>> silent;
        synchronized (this) {
            silent = System.nanoTime() - heard > silenceNanosMax ? current : null;
            if (silent != null) {
                heard = System.nanoTime();
            }
        }
        if (silent != null) {
            LOG.warn("a watch is silent and opened again: kind={}", name);
            var unused = silent.thenAccept(AbstractWatchManager::closeRequest);
        }
    }

    /** Notices that something was received. */
    private final class Listener implements Watcher<T> {

        private final Watcher<T> informer;

        Listener(Watcher<T> informer) {
            this.informer = informer;
        }

        @Override
        public boolean reconnecting() {
            return informer.reconnecting();
        }

        @Override
        public void eventReceived(Action action, T object) {
            hear();
            informer.eventReceived(action, object);
        }

        @Override
        public void onClose() {
            informer.onClose();
        }

        @Override
        public void onClose(WatcherException cause) {
            informer.onClose(cause);
        }
    }
}
