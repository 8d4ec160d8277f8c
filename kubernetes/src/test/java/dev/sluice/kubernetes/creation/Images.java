package dev.sluice.kubernetes.creation;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskContainer;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TextMap;
import dev.sluice.core.resource.Resources;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tasks with images. */
public final class Images {

    private Images() {}

    public static TaskSpec task(String name, int count, TaskCommand command) {
        return TaskSpec.of(name, count, Resources.parse("vcore", "1")).withCommand(command);
    }

    /** Returns the command {@code make all} in a container. */
    public static TaskCommand command(String container, String pod) {
        return command(List.of("make", "all"), false, Map.of(), container, pod);
    }

    /** Returns the command {@code make} in a container of this image. */
    public static TaskCommand ofImage(String image) {
        return command(image, List.of("make"), false, Map.of(), "", "");
    }

    static TaskCommand command(
            List<String> words, boolean shell, Map<String, String> environment, String container, String pod) {
        return command("python:3.13", words, shell, environment, container, pod);
    }

    private static TaskCommand command(
            String image,
            List<String> words,
            boolean shell,
            Map<String, String> environment,
            String container,
            String pod) {
        return new TaskCommand(
                words,
                shell,
                new TreeMap<>(environment),
                null,
                null,
                TaskCommand.UMASK_INHERITED,
                TextMap.EMPTY,
                new TaskContainer(image, container, pod));
    }

    public static ApplicationSpec application(String id, TaskSpec... tasks) {
        return ApplicationSpec.open(id, "root.a")
                .withUser("alice")
                .withSealed(true)
                .withTasks(List.of(tasks));
    }
}
