package dev.sluice.core.application;

/**
 * The container in which a task runs, as a pod of a Kubernetes cluster.
 *
 * @param image the image
 * @param container further fields of the container, as a JSON object in the form of Kubernetes; empty if there are none
 * @param pod further fields of the specification of the pod, likewise, and its labels and annotations as {@code metadata}
 */
public record TaskContainer(String image, String container, String pod) {

    /** The maximum length of each component, in characters. */
    public static final int LENGTH_MAX = 65_536;

    /** Throws {@link IllegalArgumentException} if there is no image, or a text is too long. */
    public TaskContainer {
        if (image.isEmpty()) {
            throw new IllegalArgumentException("a container must have an image");
        }
        if (Math.max(image.length(), Math.max(container.length(), pod.length())) > LENGTH_MAX) {
            throw new IllegalArgumentException("image, container and pod must each have at most " + LENGTH_MAX
                    + " characters: " + image.length() + ", " + container.length() + ", " + pod.length());
        }
    }
}
