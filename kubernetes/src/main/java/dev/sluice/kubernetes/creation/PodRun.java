package dev.sluice.kubernetes.creation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.core.state.Task;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The run for which a pod is created. The name of the pod follows from it, so a run has at most one.
 *
 * @param partition the partition
 * @param application the id of the application, which a later one may have, too
 * @param task the id of the task
 * @param attempt the number of the run among those of the task
 * @param allocation the number of the allocation in the partition, which tells applications with the same id apart
 */
public record PodRun(String partition, String application, String task, int attempt, long allocation) {

    /** The label of the pods of this program, with {@link #MANAGER} as value. */
    static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    static final String MANAGER = "sluice";

    private static final String PREFIX = "sluice.dev/run-";
    private static final int NAME_LENGTH_MAX = 63;
    private static final int HASH_LENGTH = 10;
    private static final Pattern NOT_IN_NAMES = Pattern.compile("[^a-z0-9]+");
    private static final Pattern NOT_IN_LABELS = Pattern.compile("[^-A-Za-z0-9_.]+");

    /** Returns the run of an allocated task. */
    public static PodRun of(Task task) {
        return new PodRun(task.ref().partition(), task.application().id(), task.id(), task.attempt(), task.sequence());
    }

    /** Returns the run for which this program has created a pod; null if it has not. */
    public static @Nullable PodRun of(Pod pod, PodPolicy policy) {
        ObjectMeta metadata = pod.getMetadata();
        Map<String, String> annotations = metadata.getAnnotations();
        String attempt = annotations.get(PREFIX + "attempt");
        String allocation = annotations.get(PREFIX + "allocation");
        if (!policy.namespace().equals(metadata.getNamespace())
                || !policy.schedulerName().equals(pod.getSpec().getSchedulerName())
                || !MANAGER.equals(metadata.getLabels().get(MANAGED_BY))
                || attempt == null
                || allocation == null) {
            return null;
        }
        try {
            PodRun run = new PodRun(
                    annotations.getOrDefault(PREFIX + "partition", ""),
                    annotations.getOrDefault(PREFIX + "application", ""),
                    annotations.getOrDefault(PREFIX + "task", ""),
                    Integer.parseInt(attempt),
                    Long.parseLong(allocation));
            return run.podName().equals(metadata.getName()) ? run : null;
        } catch (NumberFormatException e) {
            return null; // somebody else has written it
        }
    }

    /** Returns the annotations by which the pod is recognized. */
    Map<String, String> annotations() {
        return Map.of(
                PREFIX + "partition", partition,
                PREFIX + "application", application,
                PREFIX + "task", task,
                PREFIX + "attempt", Integer.toString(attempt),
                PREFIX + "allocation", Long.toString(allocation));
    }

    /** Returns the name of the pod: a DNS label, readable as far as possible, and unique by a hash of the run. */
    public String podName() {
        String hash = hash(String.join("\0", partition, application, task, attempt + "." + allocation))
                .substring(0, HASH_LENGTH);
        String readable = name(application + "-" + task + "-" + attempt);
        int length = NAME_LENGTH_MAX - 1 - HASH_LENGTH;
        readable = readable.length() > length ? trimmed(readable.substring(0, length)) : readable;
        return readable.isEmpty() ? "run-" + hash : readable + "-" + hash;
    }

    /** Returns the value of a label for any text: the text itself if it is one, otherwise cut, with a hash. */
    static String label(String text) {
        String label = NOT_IN_LABELS.matcher(text).replaceAll("-");
        label = label.length() > NAME_LENGTH_MAX ? label.substring(0, NAME_LENGTH_MAX) : label;
        if (label.equals(text) && isAlphanumeric(text.charAt(0)) && isAlphanumeric(text.charAt(text.length() - 1))) {
            return text;
        }
        String hash = hash(text).substring(0, HASH_LENGTH);
        String begin = label.length() > NAME_LENGTH_MAX - 2 - HASH_LENGTH
                ? label.substring(0, NAME_LENGTH_MAX - 2 - HASH_LENGTH)
                : label;
        return isAlphanumeric(begin.charAt(0)) ? begin + "-" + hash : "x" + begin + "-" + hash;
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private static String name(String text) {
        return trimmed(NOT_IN_NAMES.matcher(text.toLowerCase(Locale.ROOT)).replaceAll("-"));
    }

    private static String trimmed(String name) {
        int begin = name.startsWith("-") ? 1 : 0;
        int end = name.endsWith("-") ? name.length() - 1 : name.length();
        return begin < end ? name.substring(begin, end) : "";
    }

    private static String hash(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is required on every Java platform", e);
        }
    }
}
