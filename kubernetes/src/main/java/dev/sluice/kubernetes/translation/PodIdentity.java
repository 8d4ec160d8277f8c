package dev.sluice.kubernetes.translation;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whose a pod is, and where it belongs. The first of several labels and annotations counts:
 *
 * <table>
 *   <caption>Labels and annotations</caption>
 *   <tr><th>what</th><th>label, otherwise annotation</th><th>label</th><th>otherwise</th></tr>
 *   <tr><td>application</td><td>{@code sluice.dev/application}, {@code yunikorn.apache.org/app-id}</td>
 *       <td>{@code spark-app-selector}, applicationId</td><td>the controlling owner, the JobSet of that, or the pod</td></tr>
 *   <tr><td>queue</td><td>{@code sluice.dev/queue}, {@code yunikorn.apache.org/queue}</td><td>{@code queue}</td>
 *       <td>placement rules, with the namespace as tag</td></tr>
 *   <tr><td>user</td><td></td><td>{@code yunikorn.apache.org/username}, unless the annotation
 *       {@code yunikorn.apache.org/user.info} is there</td><td>{@code nobody}</td></tr>
 * </table>
 *
 * @param application the id of the application
 * @param applicationName the name under which durations of its tasks are remembered; the same for recurring work of one
 *     owner
 * @param alone whether the application is this pod alone, since nothing names or owns it
 * @param task the id of the task: the name of the pod and the beginning of its unique id, since a pod may have the name
 *     of an earlier one
 * @param namespace the namespace
 * @param queue the requested queue, or null
 * @param user the user
 * @param groups the groups of the user
 */
public record PodIdentity(
        String application,
        String applicationName,
        boolean alone,
        String task,
        String namespace,
        @Nullable String queue,
        String user,
        List<String> groups) {

    private static final String APPLICATION = "application";
    private static final int UID_LENGTH = 8;

    /** Copies the list. */
    public PodIdentity {
        groups = List.copyOf(groups);
    }

    /** The annotation with which YuniKorn's admission controller names who has created a pod. */
    private record UserInfo(
            @JsonProperty("user") @Nullable String user,
            @JsonProperty("groups") @Nullable List<String> groups) {}

    /**
     * The object whose pods are one application: the controlling owner, the JobSet if that is one of its jobs, or the
     * pod itself.
     */
    private record Owner(String kind, String name, String uid, boolean isPodItself) {

        /** The labels by which JobSet names itself in the pods of its jobs, which have the job as owner. */
        private static final String JOB_SET = "jobset.sigs.k8s.io/jobset-";

        static Owner of(ObjectMeta meta, Metadata metadata) {
            for (OwnerReference owner : meta.getOwnerReferences()) {
                if (Boolean.TRUE.equals(owner.getController())) {
                    return of(owner, metadata);
                }
            }
            return new Owner("pod", meta.getName(), meta.getUid(), true);
        }

        private static Owner of(OwnerReference owner, Metadata metadata) {
            String jobSet = metadata.label(JOB_SET + "name");
            String uid = metadata.label(JOB_SET + "uid");
            if (owner.getKind().equals("Job") && jobSet != null && uid != null) {
                return new Owner("jobset", jobSet, uid, false);
            }
            return new Owner(owner.getKind().toLowerCase(Locale.ROOT), owner.getName(), owner.getUid(), false);
        }
    }

    static PodIdentity of(Pod pod, Refusals refusals) {
        Metadata metadata = new Metadata(pod);
        ObjectMeta meta = pod.getMetadata();
        Owner owner = Owner.of(meta, metadata);
        String named = application(metadata);
        String base = meta.getNamespace() + "." + owner.kind() + "." + owner.name();
        UserInfo user = user(metadata, refusals);
        String name = user.user();
        List<String> groups = user.groups();
        return new PodIdentity(
                        named == null ? unique(base, owner.uid()) : named,
                        shortened(named == null ? base : named, TaskSpec.NAME_LENGTH_MAX),
                        named == null && owner.isPodItself(),
                        unique(meta.getName(), meta.getUid()),
                        meta.getNamespace(),
                        checked("queue", queue(metadata), refusals),
                        name == null ? ApplicationSpec.NOBODY : name,
                        groups == null ? List.of() : groups)
                .checked(refusals);
    }

    private static @Nullable String application(Metadata metadata) {
        String own = metadata.labelOrAnnotation(Metadata.SLUICE + APPLICATION);
        own = own == null ? metadata.labelOrAnnotation(Metadata.YUNIKORN + "app-id") : own;
        own = own == null ? metadata.label("spark-app-selector") : own;
        return own == null ? metadata.label("applicationId") : own;
    }

    private static @Nullable String queue(Metadata metadata) {
        String queue = metadata.labelOrAnnotation(Metadata.SLUICE + "queue");
        queue = queue == null ? metadata.labelOrAnnotation(Metadata.YUNIKORN + "queue") : queue;
        return queue == null ? metadata.label("queue") : queue;
    }

    private static UserInfo user(Metadata metadata, Refusals refusals) {
        UserInfo info = JsonAnnotation.read(
                metadata,
                Metadata.YUNIKORN + "user.info",
                new TypeReference<>() {},
                "{\"user\": \"alice\", \"groups\": [\"dev\"]}",
                refusals);
        return info == null ? new UserInfo(metadata.label(Metadata.YUNIKORN + "username"), null) : info;
    }

    private PodIdentity checked(Refusals refusals) {
        checked(APPLICATION, application, refusals);
        checked("user", user, refusals);
        groups.forEach(group -> checked("group", group, refusals));
        return this;
    }

    /** Annotations may have any length and contain any character. */
    private static @Nullable String checked(String what, @Nullable String text, Refusals refusals) {
        if (text != null && (text.isEmpty() || text.length() > TaskSpec.NAME_LENGTH_MAX)) {
            refusals.add(what, "must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        } else if (text != null && text.chars().anyMatch(Character::isISOControl)) {
            refusals.add(what, "contains a control character: remove it");
        }
        return text;
    }

    /** Returns a name that is followed by the beginning of a unique id, cut to the maximum length. */
    private static String unique(String name, String uid) {
        String suffix = "." + shortened(uid, UID_LENGTH);
        return shortened(name, TaskSpec.NAME_LENGTH_MAX - suffix.length()) + suffix;
    }

    private static String shortened(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length);
    }
}
