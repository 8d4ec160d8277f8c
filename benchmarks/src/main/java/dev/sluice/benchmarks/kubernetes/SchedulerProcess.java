package dev.sluice.benchmarks.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A scheduler that runs, and what it uses according to {@code /proc}. */
final class SchedulerProcess implements AutoCloseable {

    /** Without a process. */
    static final SchedulerProcess NONE = new SchedulerProcess(null);

    private static final Pattern HEAP = Pattern.compile("heap\\s+total \\d+K, used (\\d+)K");
    private static final double KIB = 1024;

    private final @Nullable Process process;

    private SchedulerProcess(@Nullable Process process) {
        this.process = process;
    }

    /** Starts kube-scheduler. */
    static SchedulerProcess kubeScheduler(Path kubeconfig, Path log, String... options) throws IOException {
        String folder = System.getenv("SLUICE_TEST_CLUSTER");
        Path programs = folder == null
                ? Path.of(System.getProperty("user.home"), ".cache", "sluice-test-cluster")
                : Path.of(folder);
        List<String> command = new ArrayList<>(List.of(
                programs.resolve("kube-scheduler").toString(),
                "--kubeconfig",
                kubeconfig.toString(),
                "--leader-elect=false",
                "--secure-port",
                "0"));
        command.addAll(Arrays.asList(options));
        return start(Map.of(), command, log);
    }

    /** Starts Sluice with the memory that its chart for Kubernetes gives it. */
    static SchedulerProcess sluice(Path kubeconfig, Path data, Path log) throws IOException {
        return start(
                Map.of("SLUICE_JAVA_OPTS", "-XX:MaxRAM=1g -XX:MaxRAMPercentage=70"),
                List.of(
                        "./sluice",
                        "serve",
                        "--kubernetes",
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "--data",
                        data.toString(),
                        "--port",
                        "0"),
                log);
    }

    private static SchedulerProcess start(Map<String, String> environment, List<String> command, Path log)
            throws IOException {
        ProcessBuilder process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        process.environment().putAll(environment);
        return new SchedulerProcess(process.start());
    }

    Optional<ProcessHandle> handle() {
        return Optional.ofNullable(process).map(Process::toHandle);
    }

    boolean isAlive() {
        return process == null || process.isAlive();
    }

    /** Returns the processor time of a process in seconds. */
    static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9;
    }

    /** Returns the memory in MiB: {@code VmRSS} at present, or {@code VmHWM}, the most so far. */
    double mebibytes(String key) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid() + "/status"))) {
            if (line.startsWith(key + ":")) {
                return Double.parseDouble(line.replaceAll("[^0-9]", "")) / KIB;
            }
        }
        throw new IOException("no " + key + " of process " + pid());
    }

    /** Collects the garbage of a JVM, and returns what remains in KiB. */
    double liveHeap() throws IOException {
        jcmd("GC.run");
        Matcher used = HEAP.matcher(jcmd("GC.heap_info"));
        if (!used.find()) {
            throw new IOException("jcmd does not print the used heap");
        }
        return Double.parseDouble(used.group(1));
    }

    private String jcmd(String command) throws IOException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), pid(), command)
                .redirectErrorStream(true)
                .start();
        return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private String pid() {
        return handle().map(found -> String.valueOf(found.pid())).orElseThrow();
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroy();
            process.onExit().join();
        }
    }
}
