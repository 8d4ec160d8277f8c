package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskContainer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the container in which a task runs: {@code image}, and further fields of it and of its pod. */
final class ContainerReader {

    private static final int IMAGE_LENGTH_MAX = 4096;

    /** The keys that have no effect without an image. */
    private static final List<String> OF_IMAGE = List.of("container", "pod");

    private final LatestValue<String> containers =
            new LatestValue<>(field -> KubernetesFields.read(field, "container"));
    private final LatestValue<String> pods = new LatestValue<>(field -> KubernetesFields.read(field, "pod"));

    /** Returns the container of a task, or null if it has none or it is not valid. */
    @Nullable TaskContainer read(Section task) {
        String container = task.read("container", "", containers::read);
        String pod = task.read("pod", "", pods::read);
        Field field = task.get("image");
        if (field == null) {
            OF_IMAGE.forEach(key -> refuseAlone(task, key));
            return null;
        }
        String image = field.asName("an image", IMAGE_LENGTH_MAX);
        if (image != null && image.chars().anyMatch(c -> c <= ' ')) {
            field.problem(Field.quoted(image) + " is not an image, such as python:3.13: remove the spaces");
            return null;
        }
        return image == null ? null : new TaskContainer(image, container, pod);
    }

    private static void refuseAlone(Section task, String key) {
        Field field = task.get(key);
        if (field != null) {
            field.problem(key + " needs an image: add image, such as image: python:3.13");
        }
    }

    /** Refuses what only a process on a machine can have. */
    static void refuseLocal(Section task, SubmissionOrigin origin) {
        refuse(task, "stdin", "a container has no file for stdin: remove it, and read the file in the command");
        refuse(task, "umask", "umask has no effect in a container: remove it, and call umask in the command");
        String noSecrets = "secrets are not passed to containers: refer to a secret of the cluster, such as container:"
                + " {envFrom: [{secretRef: {name: database}}]}";
        refuse(task, "secrets", noSecrets);
        if (!origin.secrets().isEmpty()) {
            refuse(task, "image", noSecrets);
        }
        Field directory = task.get("directory");
        String path = directory == null ? null : directory.asText();
        if (directory != null && path != null && !path.startsWith("/")) {
            directory.problem("the directory of a container must be absolute, such as /work");
        }
    }

    private static void refuse(Section task, String key, String reason) {
        Field field = task.get(key);
        if (field != null) {
            field.problem(reason);
        }
    }
}
