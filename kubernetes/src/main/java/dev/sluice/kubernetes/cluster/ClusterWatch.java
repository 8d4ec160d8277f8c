package dev.sluice.kubernetes.cluster;

import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.request.RequestThreads;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.internal.BaseOperation;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.impl.DefaultSharedIndexInformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the objects of a cluster that matter. After a watch was broken, the client lists the objects again and
 * reports the difference, so nothing is missed.
 */
final class ClusterWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);
    private static final long PAGE = 1000;
    /** How often a watch is checked while it may be silent. */
    private static final int CHECKS = 8;

    private static final long REPORT_SECONDS = 10;
    private static final long DELIVERY_MILLIS = 10;

    /** Twice the time between bookmarks of an API server. */
    private static final Duration SILENCE_MAX = Duration.ofMinutes(2);

    private final KubernetesClient client;
    private final ClusterChanges changes;
    private final Duration silenceMax;
    private final RequestThreads checks = new RequestThreads("watch-check", 1);
    private final List<RenewedWatch<?, ?>> watches = new ArrayList<>();
    private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
    private final List<CompletableFuture<?>> listed = new ArrayList<>();
    private final List<BooleanSupplier> delivered = new ArrayList<>();

    ClusterWatch(KubernetesClient client, ClusterChanges changes) {
        this(client, changes, SILENCE_MAX);
    }

    /**
     * Creates watches that are not started.
     *
     * @param silenceMax how long a watch may receive nothing before it is opened again
     */
    ClusterWatch(KubernetesClient client, ClusterChanges changes, Duration silenceMax) {
        this.client = client;
        this.changes = changes;
        this.silenceMax = silenceMax;
    }

    /**
     * A kind of objects.
     *
     * @param name what an object is called
     * @param key what tells objects apart
     * @param put takes over a new or changed object, by the thread that takes the changes
     * @param remove takes over that an object is gone, by the same thread
     */
    record Kind<T>(String name, Function<T, String> key, Consumer<T> put, Consumer<String> remove) {}

    /**
     * Starts watching, and waits until everything has been listed, however long the API server is away.
     *
     * @param view what changes are taken over into, by the thread that takes them
     * @param namespace the namespace of the configuration
     * @param configuration its config maps
     * @param namespaces the namespaces of the cluster
     * @param podRemoved takes over that a pod is gone, by its unique id, by the same thread
     * @param early receives pods of all schedulers as soon as they are known, on threads of the client
     * @throws IllegalStateException if the cluster cannot be listed, such as because requests are not permitted
     */
    void start(
            ClusterView view,
            String namespace,
            Kind<ConfigMap> configuration,
            Kind<Namespace> namespaces,
            Consumer<String> podRemoved,
            EarlyPods early)
            throws InterruptedException {
        try {
            watchAll(view, namespace, configuration, namespaces, podRemoved, early);
        } catch (KubernetesClientException e) { // what is not permitted fails before it is sent
            throw new IllegalStateException("cannot list the cluster: " + e.getMessage(), e);
        }
        await();
        checkLater();
    }

    private void watchAll(
            ClusterView view,
            String namespace,
            Kind<ConfigMap> configuration,
            Kind<Namespace> namespaces,
            Consumer<String> podRemoved,
            EarlyPods early) {
        watch(client.nodes(), new Kind<>("node", ClusterWatch::name, view::put, view::removeNode));
        watch(client.namespaces(), namespaces);
        watch(
                client.scheduling().v1().priorityClasses(),
                new Kind<>("priority class", ClusterWatch::name, view::put, view::removePriorityClass));
        watch(
                client.storage().v1().storageClasses(),
                new Kind<>("storage class", ClusterWatch::name, view::put, view::removeStorageClass));
        watch(client.persistentVolumes(), new Kind<>("volume", ClusterWatch::name, view::put, view::removeVolume));
        watch(
                client.persistentVolumeClaims().inAnyNamespace(),
                new Kind<>("claim", ClusterWatch::path, view::put, path -> {
                    int slash = path.indexOf('/');
                    view.removeClaim(path.substring(0, slash), path.substring(slash + 1));
                }));
        watch(client.configMaps().inNamespace(namespace), configuration);
        // a later pod may have the name of an earlier one, so pods are told apart by their unique ids
        watch(
                client.pods().inAnyNamespace(),
                new Kind<>("pod", ClusterWatch::uid, view::put, podRemoved),
                early::observed,
                early::removed);
    }

    private void checkLater() {
        checks.schedule(
                () -> {
                    watches.forEach(RenewedWatch::check);
                    checkLater();
                },
                silenceMax.toNanos() / CHECKS);
    }

    /** Receives pods as soon as they are known. Thread-safe. */
    interface EarlyPods {
        void observed(Pod pod);

        void removed(String uid);
    }

    static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }

    private static String path(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    private static String uid(HasMetadata object) {
        return object.getMetadata().getUid();
    }

    private <T extends HasMetadata> void watch(FilterWatchListDeletable<T, ?, ?> objects, Kind<T> kind) {
        watch(objects, kind, object -> {}, key -> {});
    }

    private <T extends HasMetadata> void watch(
            FilterWatchListDeletable<T, ?, ?> objects, Kind<T> kind, Consumer<T> early, Consumer<String> earlyRemoved) {
        SharedIndexInformer<T> informer = informer(objects.withLimit(PAGE), kind.name());
        informers.add(informer);
        Handler<T> handler = new Handler<>(kind, early, earlyRemoved);
        informer.addEventHandler(handler);
        delivered.add(() -> informer.getStore().list().stream().map(kind.key()).allMatch(handler.delivered::contains));
        informer.exceptionHandler((started, problem) -> {
            LOG.warn("watching {}s is interrupted and tried again: reason={}", kind.name(), problem.toString());
            return true;
        });
        listed.add(informer.start().toCompletableFuture());
    }

    /** Returns the informer that the client would create, with watches that are opened again. */
    @SuppressWarnings("unchecked") // the implementation of all operations
    private <T extends HasMetadata> SharedIndexInformer<T> informer(Object objects, String name) {
        BaseOperation<T, KubernetesResourceList<T>, ?> operation =
                (BaseOperation<T, KubernetesResourceList<T>, ?>) objects;
        RenewedWatch<T, KubernetesResourceList<T>> watch = new RenewedWatch<>(name, operation, silenceMax);
        watches.add(watch);
        return new DefaultSharedIndexInformer<>(
                operation.getType(), watch, 0, operation.getOperationContext().getExecutor());
    }

    private void await() throws InterruptedException {
        CompletableFuture<Void> all = CompletableFuture.allOf(listed.toArray(CompletableFuture[]::new));
        while (!all.isDone()) {
            try {
                all.get(REPORT_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                LOG.warn("waiting for the API server: server={}", client.getMasterUrl());
            } catch (ExecutionException e) {
                throw new IllegalStateException("cannot list the cluster: " + e.getCause(), e.getCause());
            }
        }
        // handlers receive what was listed later, on threads of the client; pods that are missing would count as gone
        while (!delivered.stream().allMatch(BooleanSupplier::getAsBoolean)) {
            Thread.sleep(DELIVERY_MILLIS);
        }
        delivered.clear();
    }

    @Override
    public void close() {
        checks.close();
        informers.forEach(SharedIndexInformer::stop);
    }

    private final class Handler<T extends HasMetadata> implements ResourceEventHandler<T> {

        private final Kind<T> kind;
        private final Consumer<T> early;
        private final Consumer<String> earlyRemoved;

        /** The keys of the objects that were received and are not gone. */
        private final Set<String> delivered = ConcurrentHashMap.newKeySet();

        Handler(Kind<T> kind, Consumer<T> early, Consumer<String> earlyRemoved) {
            this.kind = kind;
            this.early = early;
            this.earlyRemoved = earlyRemoved;
        }

        @Override
        public void onAdd(T added) {
            early.accept(added);
            changes.add(
                    kind.name() + " " + kind.key().apply(added),
                    () -> kind.put().accept(added));
            delivered.add(kind.key().apply(added));
        }

        @Override
        public void onUpdate(T before, T after) {
            if (!kind.key().apply(before).equals(kind.key().apply(after))) {
                onDelete(before, false);
            }
            onAdd(after);
        }

        @Override
        public void onDelete(T deleted, boolean isStateUnknown) {
            String key = kind.key().apply(deleted);
            earlyRemoved.accept(key);
            delivered.remove(key);
            changes.add(kind.name() + " " + key, () -> kind.remove().accept(key));
        }
    }
}
