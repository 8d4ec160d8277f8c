package dev.sluice.kubernetes.cluster;

import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.reconciliation.ObservedPod;
import dev.sluice.kubernetes.reconciliation.Reconciliation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Why pods are not scheduled, by application; kept until the application is compared again. */
final class PodRefusals {

    private final Map<String, Map<String, List<String>>> byApplication = new HashMap<>();

    /** Replaces what is known of the applications that were compared. */
    void replace(ClusterView view, Reconciliation compared) {
        for (String application : compared.applications()) {
            byApplication.remove(application);
            for (ObservedPod pod : view.podsOf(application)) {
                List<String> reasons = compared.refusals().get(pod.uid());
                if (reasons != null) {
                    add(application, pod, reasons);
                }
            }
        }
    }

    /** Records that the scheduler has refused a command about an application. */
    void add(ClusterView view, String application, String reason) {
        for (ObservedPod pod : view.podsOf(application)) {
            if (pod.stage() == ObservedPod.Stage.PENDING
                    && of(application, pod.uid()).isEmpty()) {
                add(application, pod, List.of(reason));
            }
        }
    }

    private void add(String application, ObservedPod pod, List<String> reasons) {
        byApplication.computeIfAbsent(application, each -> new HashMap<>()).put(pod.uid(), reasons);
    }

    /** Returns whether pods of the application are refused. */
    boolean has(String application) {
        return byApplication.containsKey(application);
    }

    private List<String> of(String application, String uid) {
        return byApplication.getOrDefault(application, Map.of()).getOrDefault(uid, List.of());
    }

    /** Returns the reasons of all refused pods, by unique id. */
    Map<String, List<String>> all() {
        Map<String, List<String>> all = new HashMap<>();
        byApplication.values().forEach(all::putAll);
        return all;
    }
}
