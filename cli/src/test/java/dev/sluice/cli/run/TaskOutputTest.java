package dev.sluice.cli.run;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.terminal.Style;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output of tasks whose logs the test writes; it copies when the test says so. */
final class TaskOutputTest {

    @TempDir
    Path directory;

    private final CheckedScheduler scheduler = new CheckedScheduler();
    private final ClusterUnderTest cluster = new ClusterUnderTest(scheduler)
            .configure(PartitionConfiguration.simplest())
            .node("n", "slots", "2");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int committed;

    @BeforeEach
    void createLogs() throws Exception {
        Files.createDirectories(directory.resolve("a"));
    }

    private TaskOutput output(TaskOutputMode mode, OutputStream stream, Style style) {
        TaskOutput output = new TaskOutput(mode, stream, style, new RunLogs(directory), () -> {});
        output.begin();
        return output;
    }

    private TaskOutput output(TaskOutputMode mode) {
        return output(mode, out, Style.PLAIN);
    }

    /** Submits tasks t-0, t-1, … of application a. */
    private void submit(int tasks) {
        cluster.submitSealed(
                "a", "root.default", TaskSpec.of("t", tasks, Resources.NONE).withAttempts(1, null));
    }

    private void cycle(TaskOutput output) {
        List<String> unused = cluster.cycle();
        commit(output);
    }

    private void commit(TaskOutput output) {
        List<Event> all = scheduler.journal();
        output.committed(1, List.of(new JournalEntry(Cause.internal("test"), all.subList(committed, all.size()))));
        committed = all.size();
    }

    private void write(String task, String text) throws IOException {
        Files.write(
                directory.resolve("a/" + task + ".log"),
                text.getBytes(ISO_8859_1),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private String shown() {
        String text = out.toString(ISO_8859_1);
        out.reset();
        return text;
    }

    @Test
    void group_showsEachTaskWhenItEnds_byteForByte() throws Exception {
        TaskOutput output = output(TaskOutputMode.GROUP);
        submit(2);
        cycle(output);
        write("t-0", "first\n");
        write("t-1", "\0\u00ff no line feed");
        write("t-0", "second\n");
        output.copy(null);
        assertThat(shown()).isEmpty();

        cluster.succeed("a/t-1").succeed("a/t-0");
        commit(output);
        output.copy(null);

        assertThat(shown()).isEqualTo("\0\u00ff no line feed\nfirst\nsecond\n");
    }

    @Test
    void prefix_showsCompleteLinesWhileTasksRun() throws Exception {
        TaskOutput output = output(TaskOutputMode.PREFIX);
        submit(2);
        cycle(output);
        write("t-0", "one\ntw");
        write("t-1", "\u00ff\r\n\n");
        output.copy(null);
        assertThat(shown()).isEqualTo("a/t-0 | one\na/t-1 | \u00ff\r\na/t-1 | \n");
        write("t-0", "o");
        output.copy(null);
        assertThat(shown()).isEmpty();

        cluster.succeed("a/t-0");
        commit(output);
        output.copy(null);

        assertThat(shown()).isEqualTo("a/t-0 | two\n");
    }

    @Test
    void prefix_longLines_areDivided() throws Exception {
        TaskOutput output = output(TaskOutputMode.PREFIX);
        submit(1);
        cycle(output);
        write("t-0", "x".repeat(LogCopier.LINE_BYTES_MAX + 5) + "\nend");
        output.copy(null);
        assertThat(shown()).isEqualTo("a/t-0 | " + "x".repeat(LogCopier.LINE_BYTES_MAX) + "\na/t-0 | xxxxx\n");

        cluster.succeed("a/t-0");
        commit(output);
        output.copy(null);

        assertThat(shown()).isEqualTo("a/t-0 | end\n");
    }

    /** The copy of a piece must not depend on where the pieces end. */
    @Test
    void output_ofSeveralPieces_isComplete() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < 5 * LogCopier.LINE_BYTES_MAX; i++) {
            text.append(i).append('\n');
        }
        for (TaskOutputMode mode : List.of(TaskOutputMode.GROUP, TaskOutputMode.PREFIX)) {
            TaskOutput output = output(mode);
            String id = mode == TaskOutputMode.GROUP ? "g" : "p";
            Files.createDirectories(directory.resolve(id));
            cluster.submitSealed(id, "root.default", TaskSpec.single("t", Resources.NONE));
            cycle(output);
            Files.writeString(directory.resolve(id + "/t.log"), text + "end");
            cluster.succeed(id + "/t");
            commit(output);
            output.close();

            assertThat(shown().replace("p/t | ", "")).isEqualTo(text + "end\n");
        }
    }

    @Test
    void output_ofEarlierRuns_isNotRepeated() throws Exception {
        write("t-0", "of an earlier program\n");
        for (TaskOutputMode mode : List.of(TaskOutputMode.GROUP, TaskOutputMode.PREFIX)) {
            TaskOutput output = output(mode);
            if (mode == TaskOutputMode.GROUP) {
                submit(1);
            }
            cycle(output);
            write("t-0", "--- restarted at noon ---\nnew\n");
            cluster.fail("a/t-0");
            commit(output);
            output.copy(null);

            assertThat(shown()).isEqualTo(mode == TaskOutputMode.GROUP ? "new\n" : "a/t-0 | new\n");
        }
    }

    @Test
    void log_truncated_continuesAtItsEnd() throws Exception {
        TaskOutput output = output(TaskOutputMode.PREFIX);
        submit(1);
        cycle(output);
        write("t-0", "a long line\n");
        output.copy(null);
        Files.writeString(directory.resolve("a/t-0.log"), "short\n");
        output.copy(null);
        write("t-0", "more\n");
        output.copy(null);

        assertThat(shown()).isEqualTo("a/t-0 | a long line\na/t-0 | more\n");
    }

    @Test
    void prefix_hasOneColorPerTask() throws Exception {
        TaskOutput output = output(TaskOutputMode.PREFIX, out, Style.of(true));
        submit(2);
        cycle(output);
        write("t-0", "x\n");
        write("t-1", "y\n");
        output.copy(null);

        assertThat(shown()).isEqualTo("\u001b[36ma/t-0 |\u001b[0m x\n\u001b[33ma/t-1 |\u001b[0m y\n");
    }

    @Test
    void stream_closed_isReportedOnceAndEndsTheOutput() throws Exception {
        AtomicInteger writes = new AtomicInteger();
        AtomicInteger reports = new AtomicInteger();
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                writes.incrementAndGet();
                throw new IOException("Broken pipe");
            }
        };
        TaskOutput output = new TaskOutput(
                TaskOutputMode.GROUP, closed, Style.PLAIN, new RunLogs(directory), reports::incrementAndGet);
        output.begin();
        submit(3);
        cycle(output);
        for (int i = 0; i < 3; i++) {
            write("t-" + i, "text\n");
            cluster.succeed("a/t-" + i);
            cycle(output);
            output.copy(null);
        }
        output.close();

        assertThat(reports).hasValue(1);
        assertThat(writes).hasValue(1);
    }
}
