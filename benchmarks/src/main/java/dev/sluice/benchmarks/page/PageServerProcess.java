package dev.sluice.benchmarks.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.benchmarks.server.SubmissionBenchmark;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link PageServer} in a second process, with the JVM options of {@code ./sluice serve}. */
final class PageServerProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;
    private final Writer input;
    private final int port;

    /** The processor time of the scheduler's thread and of the process, in nanoseconds. */
    record Used(long scheduler, long process) {}

    private PageServerProcess(Process process) throws IOException {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        this.input = process.outputWriter(UTF_8);
        this.port = Integer.parseInt(String.valueOf(output.readLine()));
    }

    static PageServerProcess start(Path folder) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SubmissionBenchmark.serverOptions());
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), PageServer.class.getName(), folder.toString()));
        return new PageServerProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    int port() {
        return port;
    }

    Used used() throws IOException {
        input.write('\n');
        input.flush();
        String[] nanos = String.valueOf(output.readLine()).split(" ");
        return new Used(Long.parseLong(nanos[0]), Long.parseLong(nanos[1]));
    }

    @Override
    public void close() throws IOException {
        input.close();
        process.onExit().join();
        output.close();
    }
}
