package dev.sluice.cli.run;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.output.JsonPrinter;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job file made of commands: one application whose tasks need the same.
 *
 * @param name the name of the application
 * @param queue the path of its queue, or null
 * @param tasks what the tasks run, at least one
 * @param parameters the parameters of a matrix, which each task has
 * @param resources the quantity by resource type of each task
 * @param retries how many times a failed task runs again, or null
 * @param retryDelay the time between a failure and the first retry, which doubles with each retry, or null
 * @param timeout the maximum time of one run, or null
 */
public record CommandJob(
        String name,
        @Nullable String queue,
        List<CommandTask> tasks,
        List<CommandParameter> parameters,
        OutputMap resources,
        @Nullable Integer retries,
        @Nullable Duration retryDelay,
        @Nullable Duration timeout) {

    /**
     * A task.
     *
     * @param id the id
     * @param words a program and its arguments, or a line for the shell
     * @param isLine whether it is a line for the shell
     */
    public record CommandTask(String id, List<String> words, boolean isLine) {}

    /** Copies the lists. */
    public CommandJob {
        tasks = List.copyOf(tasks);
        parameters = List.copyOf(parameters);
    }

    /** Returns the task that runs this program with these arguments. */
    public static List<CommandTask> ofWords(String id, List<String> words) {
        return List.of(new CommandTask(id, words, false));
    }

    /**
     * Returns a task for each line, with the number of the line in its id. Empty lines and lines that begin with
     * {@code #} are skipped.
     */
    public static List<CommandTask> ofLines(String text) {
        List<CommandTask> tasks = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                tasks.add(new CommandTask("line-" + (i + 1), List.of(line), true));
            }
        }
        return tasks;
    }

    /** Returns the last element of the path of a program, or the name of a file without directories and extension. */
    public static String nameOf(String path, boolean withExtension) {
        Path last = Path.of(path).getFileName();
        String name = last == null || last.toString().isEmpty() ? path : last.toString();
        int dot = name.lastIndexOf('.');
        return withExtension || dot <= 0 ? name : name.substring(0, dot);
    }

    /** Returns the text of the job file, with an application without an id. */
    public String text() {
        OutputMap file = new OutputMap().put("name", Output.text(name));
        if (queue != null) {
            file.put("queue", Output.text(queue));
        }
        return JsonPrinter.print(file.put("tasks", OutputList.of(tasks, this::task)));
    }

    private OutputMap task(CommandTask task) {
        OutputMap map = new OutputMap()
                .put("id", Output.text(task.id() + CommandParameter.idSuffix(parameters)))
                .put("command", task.isLine() ? Output.text(task.words().get(0)) : Output.texts(task.words()));
        if (!parameters.isEmpty()) {
            OutputMap matrix = new OutputMap();
            parameters.forEach(each -> matrix.put(each.name(), each.output()));
            map.put("matrix", matrix);
        }
        if (!resources.isEmpty()) {
            map.put("resources", resources);
        }
        if (retries != null && retryDelay != null) {
            OutputMap delayed = new OutputMap()
                    .put("times", Output.number(retries))
                    .put("delay", Output.text(DurationText.format(retryDelay)))
                    .put("backoff", Output.number(2));
            map.put("retries", delayed);
        } else if (retries != null) {
            map.put("retries", Output.number(retries));
        }
        if (timeout != null) {
            map.put("timeout", Output.text(DurationText.format(timeout)));
        }
        return map;
    }
}
