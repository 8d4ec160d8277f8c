package dev.sluice.kubernetes.logs;

import dev.sluice.core.application.TaskRef;
import dev.sluice.kubernetes.creation.PodManifest;
import dev.sluice.kubernetes.creation.PodRun;
import dev.sluice.kubernetes.request.RequestThreads;
import dev.sluice.runtime.local.LogFolder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies logs of pods into the log folder: while a pod runs only if somebody reads its log or it is being stopped, and
 * once when it has ended. Thread-safe.
 */
public final class PodLogs implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodLogs.class);

    /** The maximum number of logs that are followed at a time; each takes a connection. */
    private static final int FOLLOWED_MAX = 32;

    private static final int KEEPERS = 4;
    private static final long PATIENCE_SECONDS = 5;

    private final KubernetesClient client;
    private final LogFolder folder;
    private final long bytesMax;
    private final RequestThreads followers = new RequestThreads("pod-log-follower", FOLLOWED_MAX);
    private final RequestThreads keepers = new RequestThreads("pod-log-keeper", KEEPERS);

    /** The logs that are being copied, by the name of the pod. */
    private final Map<String, Copy> copies = new ConcurrentHashMap<>();

    /** The number of copies of a task's logs that are expected or in progress. */
    private final Map<TaskRef, Integer> pending = new ConcurrentHashMap<>();

    /** A log; copied by one thread at a time. */
    private static final class Copy {

        private final CompletableFuture<Boolean> opened = new CompletableFuture<>();
        private @Nullable LogSection section;
        private volatile @Nullable InputStream followed;
        private boolean following;
    }

    /** Creates an object without logs; the client remains the caller's to close. */
    public PodLogs(KubernetesClient client, LogFolder folder, long bytesMax) {
        this.client = client;
        this.folder = folder;
        this.bytesMax = bytesMax;
    }

    /** Follows a log in the background until its end, unless that is done already. */
    public void follow(PodLog log) {
        Copy copy = copies.computeIfAbsent(log.run().podName(), name -> new Copy());
        synchronized (copy) {
            if (copy.following) {
                return;
            }
            copy.following = true;
        }
        expect(log.task());
        followers.schedule(() -> follow(log, copy), 0);
    }

    /** Follows a log, and waits briefly until what there is can be read. */
    public void await(PodLog log) {
        follow(log);
        Copy copy = copies.get(log.run().podName());
        try {
            if (copy != null) {
                copy.opened.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (TimeoutException | ExecutionException e) {
            LOG.debug("a log is not there yet: pod={}", log.run().podName(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void follow(PodLog log, Copy copy) {
        try {
            copy(log, copy, true);
        } finally {
            synchronized (copy) {
                copy.following = false;
            }
            copy.opened.complete(true);
            settle(log.task());
        }
    }

    /** Records that the log of a task will be kept; {@link #keep} must follow. */
    public void expect(TaskRef task) {
        pending.merge(task, 1, Integer::sum);
    }

    private void settle(TaskRef task) {
        pending.computeIfPresent(task, (key, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }

    /** Returns whether logs of a task are being copied. */
    public boolean isCopying(TaskRef task) {
        return pending.containsKey(task);
    }

    /** Copies the whole log of a pod that has ended, after {@link #expect}, in the background. */
    public void keep(PodLog log) {
        Copy copy = copies.computeIfAbsent(log.run().podName(), name -> new Copy());
        closeFollowed(copy);
        keepers.schedule(
                () -> {
                    try {
                        copy(log, copy, false);
                    } finally {
                        copies.remove(log.run().podName());
                        settle(log.task());
                    }
                },
                0);
    }

    /** Forgets a pod that is gone. */
    public void forget(PodRun run) {
        Copy copy = copies.remove(run.podName());
        if (copy != null) {
            closeFollowed(copy);
        }
    }

    private static void closeFollowed(Copy copy) {
        InputStream followed = copy.followed;
        copy.followed = null;
        if (followed != null) {
            close(followed);
        }
    }

    private static void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            LOG.debug("cannot close a log", e);
        }
    }

    private void copy(PodLog log, Copy copy, boolean follow) {
        try (InputStream stream = open(log, follow)) {
            copy.followed = follow ? stream : null;
            LogSection section = section(log, copy);
            copy.opened.complete(true);
            if (stream != null) {
                section.copy(stream, bytesMax);
            }
        } catch (IOException e) {
            if (!follow) {
                LOG.warn(
                        "cannot keep the log of a pod: pod={}, reason={}",
                        log.run().podName(),
                        e.getMessage());
            } else {
                LOG.debug("a log is no longer followed: pod={}", log.run().podName(), e);
            }
        } finally {
            copy.followed = null;
        }
    }

    private LogSection section(PodLog log, Copy copy) throws IOException {
        synchronized (copy) {
            LogSection section = copy.section;
            if (section == null) {
                section = LogSection.create(folder.folder(), folder.file(log.task()), log);
                copy.section = section;
            }
            return section;
        }
    }

    /** Returns a log; null if its container has not started. */
    private @Nullable InputStream open(PodLog log, boolean follow) throws IOException {
        HttpClient http = client.getHttpClient();
        String server = client.getMasterUrl().toString();
        HttpRequest.Builder request = http.newHttpRequestBuilder()
                .uri((server.endsWith("/") ? server.substring(0, server.length() - 1) : server) + log.path()
                        + "?container=" + PodManifest.CONTAINER + "&limitBytes=" + bytesMax
                        + (follow ? "&follow=true" : ""))
                .forStreaming();
        CompletableFuture<HttpResponse<InputStream>> sent = http.sendAsync(request.build(), InputStream.class);
        HttpResponse<InputStream> answer;
        try {
            answer = sent.get(client.getConfiguration().getRequestTimeout(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            sent.cancel(true);
            throw new IOException("no answer from the API server", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
        if (answer.code() == HttpURLConnection.HTTP_OK) {
            return answer.body();
        }
        close(answer.body());
        if (answer.code() == HttpURLConnection.HTTP_BAD_REQUEST) {
            return null;
        }
        throw new IOException("the API server answered " + answer.code());
    }

    @Override
    public void close() {
        copies.values().forEach(PodLogs::closeFollowed);
        followers.close();
        keepers.close();
    }
}
