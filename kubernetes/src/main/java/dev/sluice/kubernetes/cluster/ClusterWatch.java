package dev.sluice.kubernetes.cluster;

import dev.sluice.kubernetes.reconciliation.ClusterView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches nodes, namespaces and pods. After a watch was broken, the client lists the objects again and reports the
 * difference, so nothing is missed.
 */
final class ClusterWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);
    private static final long PAGE = 1000;
    private static final long REPORT_SECONDS = 10;

    private final KubernetesClient client;
    private final Set<String> schedulers;
    private final ClusterView view;
    private final ClusterChanges changes;
    private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

    /**
     * Creates a watch.
     *
     * @param view what the changes are taken over into; used by the changes alone
     */
    ClusterWatch(KubernetesClient client, Set<String> schedulers, ClusterView view, ClusterChanges changes) {
        this.client = client;
        this.schedulers = schedulers;
        this.view = view;
        this.changes = changes;
    }

    /** Starts watching, and waits until everything has been listed, however long the API server is away. */
    void start() throws InterruptedException {
        List<CompletableFuture<?>> listed = List.of(
                listed(client.nodes().withLimit(PAGE).runnableInformer(0), new Nodes()),
                listed(client.namespaces().withLimit(PAGE).runnableInformer(0), new Namespaces()),
                listed(client.pods().inAnyNamespace().withLimit(PAGE).runnableInformer(0), new Pods()));
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
    }

    private <T extends HasMetadata> CompletableFuture<?> listed(
            SharedIndexInformer<T> informer, ResourceEventHandler<T> handler) {
        informers.add(informer);
        informer.addEventHandler(handler);
        informer.exceptionHandler((started, problem) -> {
            LOG.warn("watching is interrupted and tried again: reason={}", problem.toString());
            return true;
        });
        return informer.start().toCompletableFuture();
    }

    /** Returns whether all watches are connected. */
    boolean isConnected() {
        return informers.stream().allMatch(SharedIndexInformer::isWatching);
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
    }

    /** Describes objects of a kind; a description that fails is a fault of this program, and hides no other object. */
    private abstract class Handler<T extends HasMetadata> implements ResourceEventHandler<T> {

        abstract Runnable put(T object);

        abstract Runnable remove(T object);

        abstract String key(T object);

        @Override
        public void onAdd(T added) {
            try {
                changes.add(key(added), put(added));
            } catch (RuntimeException e) {
                LOG.error("cannot describe {} {}", added.getKind(), key(added), e);
            }
        }

        @Override
        public void onUpdate(T before, T after) {
            if (!key(before).equals(key(after))) {
                changes.add(key(before), remove(before));
            }
            onAdd(after);
        }

        @Override
        public void onDelete(T deleted, boolean isStateUnknown) {
            changes.add(key(deleted), remove(deleted));
        }
    }

    private final class Nodes extends Handler<Node> {

        @Override
        Runnable put(Node node) {
            return () -> view.put(node);
        }

        @Override
        Runnable remove(Node node) {
            return () -> view.removeNode(node.getMetadata().getName());
        }

        @Override
        String key(Node node) {
            return "node " + node.getMetadata().getName();
        }
    }

    private final class Namespaces extends Handler<Namespace> {

        @Override
        Runnable put(Namespace namespace) {
            return () -> view.put(namespace);
        }

        @Override
        Runnable remove(Namespace namespace) {
            return () -> view.removeNamespace(namespace.getMetadata().getName());
        }

        @Override
        String key(Namespace namespace) {
            return "namespace " + namespace.getMetadata().getName();
        }
    }

    /** A later pod may have the name of an earlier one, so pods are told apart by their unique ids. */
    private final class Pods extends Handler<Pod> {

        @Override
        Runnable put(Pod pod) {
            return () -> view.put(pod);
        }

        @Override
        Runnable remove(Pod pod) {
            String uid = pod.getMetadata().getUid();
            return () -> view.removePod(uid);
        }

        @Override
        String key(Pod pod) {
            return "pod " + pod.getMetadata().getUid();
        }
    }
}
