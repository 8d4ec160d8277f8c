package dev.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A file to which tasks themselves add a line when they begin and another when they end, whoever else is dead meanwhile. The system adds
 * short lines to a file as a whole, so their order is that of what happened.
 */
final class TaskRunLog {

    private final Path file;

    TaskRunLog(Path file) throws IOException {
        this.file = Files.createFile(file);
    }

    /** The command of a task that takes so long. The token tells who submitted it. */
    String command(String token, String seconds) {
        String run = token + " $SLUICE_APPLICATION $SLUICE_TASK $SLUICE_ATTEMPT $$";
        return "echo start " + run + " >> " + file + "; sleep " + seconds + "; echo end " + run + " >> " + file;
    }

    /** That of one that takes a second to end when it is asked to. */
    String stubborn(String token, String seconds) {
        String run = token + " $SLUICE_APPLICATION $SLUICE_TASK $SLUICE_ATTEMPT $$ >> " + file;
        return "trap \"sleep 1; echo end " + run + "; exit 1\" TERM; echo start " + run + "; sleep " + seconds
                + " & wait; echo end " + run;
    }

    /** One line. */
    record Line(boolean start, String token, String application, String task, int attempt, long pid) {

        String place() {
            return application + "/" + task;
        }

        static Line of(String text) {
            String[] words = text.split(" ");
            assertThat(words).as("a line is written at once: %s", text).hasSize(6);
            return new Line(
                    words[0].equals("start"),
                    words[1],
                    words[2],
                    words[3],
                    Integer.parseInt(words[4]),
                    Long.parseLong(words[5]));
        }
    }

    List<Line> lines() throws IOException {
        return Files.readAllLines(file, UTF_8).stream().map(Line::of).toList();
    }

    /** Which applications have shown each token. */
    Map<String, Set<String>> applications() throws IOException {
        Map<String, Set<String>> applications = new TreeMap<>();
        for (Line line : lines()) {
            applications.computeIfAbsent(line.token(), token -> new TreeSet<>()).add(line.application());
        }
        return applications;
    }

    /** How many runs of each task have come to their end by themselves. */
    Map<String, Integer> ends() throws IOException {
        Map<String, Integer> ends = new LinkedHashMap<>();
        for (Line line : lines()) {
            if (!line.start()) {
                ends.merge(line.place(), 1, Integer::sum);
            }
        }
        return ends;
    }

    /**
     * No run was executed twice, and no run of a task began before the one before it had ended.
     *
     * @param stopped the applications whose tasks may have been stopped, so that they did not come to write their last line
     */
    void checkRunsOnce(Set<String> stopped) throws IOException {
        Set<String> runs = new LinkedHashSet<>();
        Map<String, Line> running = new LinkedHashMap<>();
        List<String> faults = new ArrayList<>();
        for (Line line : lines()) {
            if (line.start()) {
                if (!runs.add(line.place() + "#" + line.attempt())) {
                    faults.add("executed twice: " + line);
                }
                Line other = running.put(line.place(), line);
                if (other != null && !stopped.contains(line.application())) {
                    faults.add("began while another run went on: " + line + " beside " + other);
                }
            } else {
                Line begun = running.get(line.place());
                if (begun == null || begun.pid() != line.pid() || begun.attempt() != line.attempt()) {
                    faults.add("ended as another: " + line + ", begun was " + begun);
                }
                running.remove(line.place());
            }
        }
        assertThat(faults)
                .as("no run is executed twice, no task runs twice at a time")
                .isEmpty();
    }
}
