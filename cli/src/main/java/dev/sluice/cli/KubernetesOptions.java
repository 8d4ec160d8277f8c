package dev.sluice.cli;

import dev.sluice.kubernetes.cluster.KubernetesCluster;
import dev.sluice.kubernetes.cluster.KubernetesSettings;
import dev.sluice.kubernetes.creation.PodPolicy;
import dev.sluice.kubernetes.lease.LeaseElection;
import dev.sluice.kubernetes.lease.LeaseSettings;
import dev.sluice.runtime.host.NodeProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for scheduling the pods of a Kubernetes cluster. */
final class KubernetesOptions {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?");

    @Option(
            names = "--kubernetes",
            description = "Schedule pods of a Kubernetes cluster: that of the pod in which the server runs, or of"
                    + " --kubeconfig. No tasks run on this machine.")
    private boolean kubernetes;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "How to reach the cluster, outside of it. Default: KUBECONFIG, else ~/.kube/config.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--scheduler-name",
            paramLabel = "NAME",
            split = ",",
            description = "schedulerName of the pods to schedule; may be repeated. Default: "
                    + KubernetesSettings.SCHEDULER_DEFAULT + ".")
    private List<String> schedulerNames = new ArrayList<>();

    @Option(
            names = "--config-namespace",
            paramLabel = "NAME",
            description =
                    "Namespace of the config map sluice-config, or yunikorn-configs. Default: that of the server's"
                            + " pod or of the kubeconfig's context.")
    private @Nullable String namespace;

    @Option(
            names = "--task-namespace",
            paramLabel = "NAME",
            description =
                    "Run tasks that have an image as pods in this namespace. Tasks can read its secrets and config"
                            + " maps. Default: such tasks are refused.")
    private @Nullable String taskNamespace;

    @Option(
            names = "--task-service-account",
            paramLabel = "NAME",
            split = ",",
            description = "Service account that tasks may name in pod.serviceAccountName; may be repeated. Default:"
                    + " none.")
    private List<String> serviceAccounts = new ArrayList<>();

    @Option(
            names = "--unrestricted-pods",
            description = "Accept all fields in container and pod, such as hostPath volumes: whoever submits tasks can"
                    + " take over the nodes.")
    private boolean unrestricted;

    @Option(
            names = "--pod-start-timeout",
            paramLabel = "TIME",
            description = "How long a pod of a task that cannot start, for example because its image cannot be pulled,"
                    + " may wait before its run fails. Default: 5m.")
    private @Nullable Duration startTimeout;

    @Option(
            names = "--keep-pods",
            paramLabel = "TIME",
            description = "How long pods of tasks are kept after their end. Default: 10m.")
    private @Nullable Duration keep;

    /** Returns whether pods are scheduled; throws {@link UserException} if an option has no effect. */
    boolean isGiven() {
        String useless = kubeconfig != null
                ? "--kubeconfig"
                : !schedulerNames.isEmpty()
                        ? "--scheduler-name"
                        : namespace != null ? "--config-namespace" : taskNamespace != null ? "--task-namespace" : null;
        if (!kubernetes && useless != null) {
            throw new UserException(useless + " has no effect without --kubernetes: add it");
        }
        String uselessAlone = !serviceAccounts.isEmpty()
                ? "--task-service-account"
                : unrestricted
                        ? "--unrestricted-pods"
                        : startTimeout != null ? "--pod-start-timeout" : keep != null ? "--keep-pods" : null;
        if (taskNamespace == null && uselessAlone != null) {
            throw new UserException(uselessAlone + " has no effect without --task-namespace: add it");
        }
        return kubernetes;
    }

    /**
     * Returns the cluster, or null if no pods are scheduled.
     *
     * @param permitted whether requests may be sent
     */
    @Nullable NodeProvider cluster(String partition, BooleanSupplier permitted) {
        if (!isGiven()) {
            return null;
        }
        schedulerNames.forEach(name -> requireName("--scheduler-name", name));
        if (namespace != null) {
            requireName("--config-namespace", namespace);
        }
        SortedSet<String> names =
                new TreeSet<>(schedulerNames.isEmpty() ? Set.of(KubernetesSettings.SCHEDULER_DEFAULT) : schedulerNames);
        KubernetesSettings settings = new KubernetesSettings(
                partition,
                names,
                namespace,
                System.getenv().getOrDefault("HOSTNAME", KubernetesSettings.SCHEDULER_DEFAULT),
                KubernetesSettings.REQUESTS_DEFAULT,
                pods(names.first()));
        try {
            return KubernetesCluster.of(kubeconfig, settings, permitted);
        } catch (IOException | RuntimeException e) {
            throw new UserException("--kubernetes: " + e.getMessage());
        }
    }

    /**
     * Begins to take part in the election of a leader.
     *
     * @param expired called if this program has not ended when its lease has
     */
    LeaseElection election(LeaseSettings lease, Runnable expired) {
        try {
            return LeaseElection.start(kubeconfig, lease, expired);
        } catch (IOException | RuntimeException e) {
            throw new UserException("--lease: " + e.getMessage());
        }
    }

    private @Nullable PodPolicy pods(String schedulerName) {
        if (taskNamespace == null) {
            return null;
        }
        requireName("--task-namespace", taskNamespace);
        serviceAccounts.forEach(name -> requireName("--task-service-account", name));
        return new PodPolicy(
                taskNamespace,
                schedulerName,
                Set.copyOf(serviceAccounts),
                unrestricted,
                startTimeout == null ? PodPolicy.START_TIMEOUT_DEFAULT : startTimeout,
                keep == null ? PodPolicy.KEEP_DEFAULT : keep);
    }

    private static void requireName(String option, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new UserException(option + " " + name + ": must be a name such as "
                    + KubernetesSettings.SCHEDULER_DEFAULT + ", of lower-case letters, digits, - and .");
        }
    }
}
