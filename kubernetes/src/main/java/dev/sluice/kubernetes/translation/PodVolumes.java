package dev.sluice.kubernetes.translation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorRequirement.Operator;
import dev.sluice.core.application.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.TopologySelectorLabelRequirement;
import io.fabric8.kubernetes.api.model.TopologySelectorTerm;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod may run because of its claimed volumes, or why it waits for them ("Persistent Volumes", "Storage Classes"
 * and "Ephemeral Volumes" in the documentation of Kubernetes).
 *
 * <p>The volume of a bound claim restricts nodes by its node affinity, or by its labels of zone and region. A claim
 * that is not bound is provisioned for the node of the pod if its class has {@code volumeBindingMode: WaitForFirstConsumer};
 * its {@code allowedTopologies} restrict nodes, and so does the node that was selected before. Any other claim must be
 * bound first.
 */
public final class PodVolumes {

    /** The annotation of a claim that names the node for which its volume is provisioned. */
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
    private static final String FOR_CONSUMER = "WaitForFirstConsumer";
    private static final String ONE_POD = "ReadWriteOncePod";
    private static final String WHERE = "spec.volumes";

    /** Labels of volumes by the label of nodes with which they are compared. */
    private static final Map<String, String> ZONE_LABELS = Map.of(
            "topology.kubernetes.io/zone", "topology.kubernetes.io/zone",
            "topology.kubernetes.io/region", "topology.kubernetes.io/region",
            "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
            "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");

    /** Separates zones in the label of a volume that is in several. */
    private static final String ZONES_DELIMITER = "__";

    private final Pod pod;
    private final VolumeLookup lookup;
    private final Refusals refusals;
    private final Selectors selectors;
    private final List<List<NodeSelectorTerm>> required = new ArrayList<>();

    PodVolumes(Pod pod, VolumeLookup lookup, Refusals refusals) {
        this.pod = pod;
        this.lookup = lookup;
        this.refusals = refusals;
        this.selectors = new Selectors(refusals);
    }

    /** Returns the names of the claims of a pod; those of generic ephemeral volumes are {@code POD-VOLUME}. */
    public static List<String> claims(Pod pod) {
        Set<String> claims = new LinkedHashSet<>();
        for (Volume volume : pod.getSpec().getVolumes()) {
            if (volume.getPersistentVolumeClaim() != null) {
                claims.add(volume.getPersistentVolumeClaim().getClaimName());
            } else if (volume.getEphemeral() != null) {
                claims.add(ephemeralClaim(pod, volume));
            }
        }
        return List.copyOf(claims);
    }

    /** Returns whether a claim is bound to a volume for good, as the controller of volumes says. */
    public static boolean isBound(PersistentVolumeClaim claim) {
        return hasVolume(claim) && new Metadata(claim).hasAnnotation(BIND_COMPLETED);
    }

    private static boolean hasVolume(PersistentVolumeClaim claim) {
        String volume = claim.getSpec().getVolumeName();
        return volume != null && !volume.isEmpty();
    }

    /** Returns the same for a claim as the API server answers it. */
    public static boolean isBound(JsonNode claim) {
        return !claim.at("/spec/volumeName").asText().isEmpty()
                && claim.at("/metadata/annotations").has(BIND_COMPLETED);
    }

    /** Returns whether only one pod at a time may use a claim. */
    public static boolean isExclusive(PersistentVolumeClaim claim) {
        return claim.getSpec().getAccessModes().contains(ONE_POD);
    }

    private static String ephemeralClaim(Pod pod, Volume volume) {
        return pod.getMetadata().getName() + "-" + volume.getName();
    }

    /** Returns the constraints of the pod together with those of its volumes. */
    Constraints addTo(Constraints constraints) {
        for (Volume volume : pod.getSpec().getVolumes()) {
            if (volume.getEphemeral() != null && !isOwnerOf(ephemeralClaim(pod, volume))) {
                refuse(ephemeralClaim(pod, volume), "belongs to another owner: delete it");
            }
        }
        claims(pod).forEach(this::require);
        NodeAffinity affinity = constraints.nodeAffinity();
        List<NodeSelectorTerm> terms = affinity.required();
        for (List<NodeSelectorTerm> more : required) {
            terms = terms.isEmpty() ? more : both(terms, more);
        }
        if (terms.size() > NodeAffinity.SIZE_MAX) {
            refusals.add(
                    WHERE,
                    "node affinity and volumes have " + terms.size() + " alternatives together: at most "
                            + NodeAffinity.SIZE_MAX + " are allowed");
            return constraints;
        }
        return required.isEmpty()
                ? constraints
                : constraints.withNodeAffinity(new NodeAffinity(terms, affinity.preferred()));
    }

    /** Returns the terms that a node matches if it matches one of each list. */
    private static List<NodeSelectorTerm> both(List<NodeSelectorTerm> first, List<NodeSelectorTerm> second) {
        Set<NodeSelectorTerm> terms = new LinkedHashSet<>();
        for (NodeSelectorTerm a : first) {
            for (NodeSelectorTerm b : second) {
                if (!a.isEmpty() && !b.isEmpty() && terms.size() <= NodeAffinity.SIZE_MAX) {
                    terms.add(new NodeSelectorTerm(
                            joined(a.matchExpressions(), b.matchExpressions()),
                            joined(a.matchFields(), b.matchFields())));
                }
            }
        }
        return terms.isEmpty() ? List.of(new NodeSelectorTerm(List.of(), List.of())) : List.copyOf(terms);
    }

    private static List<NodeSelectorRequirement> joined(
            List<NodeSelectorRequirement> first, List<NodeSelectorRequirement> second) {
        Set<NodeSelectorRequirement> all = new LinkedHashSet<>(first);
        all.addAll(second);
        return List.copyOf(all);
    }

    private boolean isOwnerOf(String name) {
        PersistentVolumeClaim claim = lookup.claim(pod.getMetadata().getNamespace(), name);
        if (claim == null) {
            return true;
        }
        for (OwnerReference owner : claim.getMetadata().getOwnerReferences()) {
            if (Boolean.TRUE.equals(owner.getController())
                    && owner.getUid().equals(pod.getMetadata().getUid())) {
                return true;
            }
        }
        return false;
    }

    private void require(String name) {
        PersistentVolumeClaim claim = lookup.claim(pod.getMetadata().getNamespace(), name);
        if (claim == null) {
            refuse(name, "not found");
        } else if (claim.getMetadata().getDeletionTimestamp() != null) {
            refuse(name, "is being deleted");
        } else if (claim.getStatus() != null && "Lost".equals(claim.getStatus().getPhase())) {
            refuse(name, "has lost its volume " + claim.getSpec().getVolumeName());
        } else {
            if (isExclusive(claim)) {
                requireAlone(name);
            }
            if (isBound(claim)) {
                requireVolume(name, claim.getSpec().getVolumeName());
            } else {
                requireProvisioning(name, claim);
            }
        }
    }

    private void requireAlone(String name) {
        String other = lookup.userBefore(pod, name);
        if (other != null) {
            refuse(name, "has access mode " + ONE_POD + " and is used by pod " + other);
        }
    }

    private void requireVolume(String claim, String name) {
        PersistentVolume volume = lookup.volume(name);
        if (volume == null) {
            refuse(claim, "is bound to volume " + name + ", which is not found");
            return;
        }
        if (volume.getSpec().getNodeAffinity() != null
                && volume.getSpec().getNodeAffinity().getRequired() != null) {
            required.add(volume.getSpec().getNodeAffinity().getRequired().getNodeSelectorTerms().stream()
                    .map(term -> selectors.term("volume " + name, term))
                    .toList());
        }
        Map<String, String> labels = volume.getMetadata().getLabels();
        ZONE_LABELS.keySet().stream().sorted().forEach(label -> {
            String zones = labels == null ? null : labels.get(label);
            if (zones != null && !zones.isEmpty()) {
                required.add(
                        List.of(in(ZONE_LABELS.getOrDefault(label, label), List.of(zones.split(ZONES_DELIMITER)))));
            }
        });
    }

    private static NodeSelectorTerm in(String label, List<String> values) {
        return new NodeSelectorTerm(List.of(new NodeSelectorRequirement(label, Operator.IN, values)), List.of());
    }

    private void requireProvisioning(String name, PersistentVolumeClaim claim) {
        String className = className(claim);
        StorageClass storageClass = className == null ? null : lookup.storageClass(className);
        if (className != null && storageClass == null) {
            refuse(name, "is not bound, and its storage class " + className + " is not found");
        } else if (storageClass == null
                || !FOR_CONSUMER.equals(storageClass.getVolumeBindingMode())
                || hasVolume(claim)) {
            refuse(name, "is not bound yet");
        } else if (NO_PROVISIONER.equals(storageClass.getProvisioner())) {
            refuse(
                    name,
                    "is not bound, and volumes of storage class " + className
                            + " are not provisioned: name one in its volumeName");
        } else {
            requireNode(claim, storageClass);
        }
    }

    private void requireNode(PersistentVolumeClaim claim, StorageClass storageClass) {
        String selected = new Metadata(claim).annotation(SELECTED_NODE);
        if (selected != null) {
            required.add(List.of(new NodeSelectorTerm(
                    List.of(),
                    List.of(new NodeSelectorRequirement(
                            NodeSelectorRequirement.NAME_FIELD, Operator.IN, List.of(selected))))));
        }
        List<NodeSelectorTerm> terms = new ArrayList<>();
        for (TopologySelectorTerm term : storageClass.getAllowedTopologies()) {
            List<NodeSelectorRequirement> conditions = new ArrayList<>();
            for (TopologySelectorLabelRequirement each : term.getMatchLabelExpressions()) {
                conditions.add(new NodeSelectorRequirement(each.getKey(), Operator.IN, each.getValues()));
            }
            terms.add(new NodeSelectorTerm(conditions, List.of()));
        }
        if (!terms.isEmpty()) {
            required.add(terms);
        }
    }

    /** Returns the class of a claim, the annotation of old claims first, or null if it has none. */
    private static @Nullable String className(PersistentVolumeClaim claim) {
        String annotated = new Metadata(claim).annotation(CLASS_ANNOTATION);
        String named = annotated == null ? claim.getSpec().getStorageClassName() : annotated;
        return named == null || named.isEmpty() ? null : named;
    }

    private void refuse(String claim, String reason) {
        refusals.add(WHERE, "persistentvolumeclaim " + claim + " " + reason);
    }
}
