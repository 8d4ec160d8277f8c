package dev.sluice.kubernetes.translation;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resources of a pod as kubelet and kube-scheduler count them ("Resource sharing within containers" in the
 * documentation of init containers and sidecars).
 *
 * <p>For each type the larger one of two sums: that of all containers with all restartable init containers, and the
 * largest that one init container needs together with the restartable ones before it. Requests of the pod as a whole
 * replace the sum, and its overhead is added. A pod that is being resized counts with the larger of what it asks for
 * and what it has.
 */
public final class PodRequests {

    private static final String RESTARTABLE = "Always";
    private static final Resources NO_CORES = Resources.of(ResourceTypes.VCORE, 0);

    private PodRequests() {}

    /** Returns what a pod requests in addition to one slot; {@code vcore} is always named, as 0 if need be. */
    public static Resources of(Pod pod) {
        PodSpec spec = pod.getSpec();
        Map<String, ContainerStatus> statuses = statuses(pod.getStatus());
        boolean infeasible = isResizeInfeasible(pod.getStatus());
        Amounts total = new Amounts();
        for (Container container : spec.getContainers()) {
            total.add(requests(container, statuses, infeasible));
        }
        Amounts restartable = new Amounts();
        Amounts initial = new Amounts();
        for (Container container : spec.getInitContainers()) {
            Amounts own = requests(container, statuses, infeasible);
            if (RESTARTABLE.equals(container.getRestartPolicy())) {
                total.add(own);
                restartable.add(own);
                initial.raise(restartable);
            } else {
                own.add(restartable);
                initial.raise(own);
            }
        }
        total.raise(initial);
        total.replace(requests(spec.getResources()));
        total.add(Amounts.of(spec.getOverhead()));
        Resources requested = total.resources();
        return requested.names(ResourceTypes.VCORE) ? requested : requested.plus(NO_CORES);
    }

    private static Amounts requests(
            Container container, Map<String, ContainerStatus> statuses, boolean resizeInfeasible) {
        Amounts wanted = requests(container.getResources());
        ContainerStatus status = statuses.get(container.getName());
        if (status == null) {
            return wanted;
        }
        Amounts actual = requests(status.getResources());
        actual.raise(Amounts.of(status.getAllocatedResources()));
        Amounts larger = new Amounts();
        larger.add(wanted);
        if (resizeInfeasible) {
            larger.replace(actual);
        } else {
            larger.raise(actual);
        }
        return larger;
    }

    private static Amounts requests(@Nullable ResourceRequirements resources) {
        Map<String, Quantity> requests = resources == null ? null : resources.getRequests();
        return Amounts.of(requests == null ? Map.of() : requests);
    }

    private static Map<String, ContainerStatus> statuses(@Nullable PodStatus status) {
        Map<String, ContainerStatus> byName = new HashMap<>();
        if (status != null) {
            for (List<ContainerStatus> each :
                    List.of(status.getContainerStatuses(), status.getInitContainerStatuses())) {
                each.forEach(container -> byName.put(container.getName(), container));
            }
        }
        return byName;
    }

    private static boolean isResizeInfeasible(@Nullable PodStatus status) {
        if (status != null) {
            for (PodCondition condition : status.getConditions()) {
                if (condition.getType().equals("PodResizePending") && "Infeasible".equals(condition.getReason())) {
                    return true;
                }
            }
        }
        return false;
    }
}
