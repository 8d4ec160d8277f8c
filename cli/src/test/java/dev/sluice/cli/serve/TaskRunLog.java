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
 * A file to which tasks append a line at their start and at their end, even while the server is down. The system
 * appends short lines atomically, so their order is that of the events.
 */
final class TaskRunLog {

    private final Path file;

    TaskRunLog(Path file) throws IOException {
        this.file = Files.createFile(file);
    }

    /** Returns the command of a task of this duration; the token identifies the submission. */
    String command(String token, String seconds) {
        String run = token + " $SLUICE_APPLICATION $SLUICE_TASK $SLUICE_ATTEMPT $$";
        return "echo start " + run + " >> " + file + "; sleep " + seconds + "; echo end " + run + " >> " + file;
    }

    /** Returns the command of a task that takes a second to stop. */
    String stubborn(String token, String seconds) {
        String run = token + " $SLUICE_APPLICATION $SLUICE_TASK $SLUICE_ATTEMPT $$ >> " + file;
        return "trap \"sleep 1; echo end " + run + "; exit 1\" TERM; echo start " + run + "; sleep " + seconds
                + " & wait; echo end " + run;
    }

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

    /** Returns the applications by token. */
    Map<String, Set<String>> applications() throws IOException {
        Map<String, Set<String>> applications = new TreeMap<>();
        for (Line line : lines()) {
            applications.computeIfAbsent(line.token(), token -> new TreeSet<>()).add(line.application());
        }
        return applications;
    }

    /** Returns the number of completed runs by task. */
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
     * Checks that no run was executed twice, and that no run of a task started before the previous one had ended.
     *
     * @param stopped applications whose tasks may have been stopped before their last line
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
