package dev.sluice.runtime.machine;

import dev.sluice.runtime.executor.MeasuredUse;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A control group of Linux (cgroup v2) in which this program creates one group per run.
 *
 * <p>It is the own group of this program, which must be allowed to change it: as root, or because systemd delegates it
 * ({@code Delegate=yes}). A group with processes cannot have limited children, so this program moves itself to the
 * child {@code sluice-server} if it is alone; {@code DelegateSubgroup=sluice-server} starts it there.
 *
 * <p>The kernel keeps the groups over restarts of this program, with what happened in them.
 */
public final class Cgroups {

    /** The child for this program itself. */
    static final String SERVER = "sluice-server";

    private static final String CONTROLLERS = "cgroup.subtree_control";
    private static final String PROCESSES = "cgroup.procs";

    /** The period of {@code cpu.max} in microseconds; a thousandth of a core is this many thousandths of it. */
    private static final long PERIOD = 100_000;

    private static final long QUOTA_MIN = 1_000;

    private final Path folder;
    private final boolean hasCpu;

    private Cgroups(Path folder, boolean hasCpu) {
        this.folder = folder;
        this.hasCpu = hasCpu;
    }

    /**
     * Opens the own group of this program.
     *
     * @param root where cgroup v2 is mounted
     * @param proc {@code /proc}
     * @throws IOException if it cannot be used; the message says why
     */
    static Cgroups open(Path root, Path proc) throws IOException {
        if (!Files.isReadable(root.resolve("cgroup.controllers"))) {
            throw new IOException("not mounted at " + root);
        }
        Path own = root.resolve(ownPath(proc.resolve("self/cgroup"))).normalize();
        Path parent = own.getParent();
        Path base = own.endsWith(SERVER) && parent != null ? parent : own;
        Set<String> available = words(base.resolve("cgroup.controllers"));
        if (!available.containsAll(List.of("memory", "pids"))) {
            throw new IOException("no controllers for memory and processes in " + base);
        }
        boolean cpu = available.contains("cpu");
        try {
            enable(base, cpu);
        } catch (IOException occupied) {
            moveThisProgram(base);
            enable(base, cpu);
        }
        Path probe = base.resolve("sluice-probe-" + ProcessHandle.current().pid());
        create(probe);
        remove(probe);
        return new Cgroups(base, cpu);
    }

    private static String ownPath(Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("0::/")) {
                return line.substring("0::/".length());
            }
        }
        throw new IOException("this process has no group");
    }

    private static Set<String> words(Path file) throws IOException {
        return new TreeSet<>(List.of(Files.readString(file).trim().split("\\s+")));
    }

    private static void enable(Path group, boolean cpu) throws IOException {
        Path file = group.resolve(CONTROLLERS);
        Set<String> needed = new TreeSet<>(cpu ? List.of("cpu", "memory", "pids") : List.of("memory", "pids"));
        if (!Files.exists(file) || !words(file).containsAll(needed)) {
            write(file, "+" + String.join(" +", needed));
        }
    }

    private static void moveThisProgram(Path base) throws IOException {
        String self = Long.toString(ProcessHandle.current().pid());
        if (!words(base.resolve(PROCESSES)).equals(Set.of(self))) {
            throw new IOException("permission denied or other processes in " + base);
        }
        create(base.resolve(SERVER));
        write(base.resolve(SERVER).resolve(PROCESSES), self);
    }

    private static void create(Path group) throws IOException {
        if (!Files.isDirectory(group)) {
            try {
                Files.createDirectory(group);
            } catch (IOException e) {
                throw new IOException("cannot create " + group, e);
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new IOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Returns whether processor time can be limited. */
    boolean hasCpu() {
        return hasCpu;
    }

    /** Returns the group of a runner, creating it if missing. */
    public Cgroups ofRunner(String mark) throws IOException {
        Path group = folder.resolve("sluice-" + mark.replaceAll("[^A-Za-z0-9_-]", "_"));
        create(group);
        enable(group, hasCpu);
        return new Cgroups(group, hasCpu);
    }

    /**
     * Creates the group of a run.
     *
     * @param run the name of the run
     * @return the file to which a process of the run writes its id to enter the group
     */
    public Path create(String run, RunRequest request) throws IOException {
        Path group = folder.resolve(run);
        create(group);
        if (request.memory() != Long.MAX_VALUE) {
            write(group.resolve("memory.max"), Long.toString(request.memory()));
            write(group.resolve("memory.oom.group"), "1");
            Path swap = group.resolve("memory.swap.max");
            if (Files.exists(swap)) {
                write(swap, "0");
            }
        }
        if (hasCpu && request.millicores() < Long.MAX_VALUE / PERIOD) {
            long quota = Math.max(QUOTA_MIN, request.millicores() * PERIOD / 1000);
            write(group.resolve("cpu.max"), quota + " " + PERIOD);
        }
        write(group.resolve("pids.max"), Integer.toString(Enforcement.PROCESSES_MAX));
        return group.resolve(PROCESSES);
    }

    /** Returns which limit a run that failed has exceeded, or null. */
    public @Nullable String exceeded(String run, RunRequest request) {
        Path group = folder.resolve(run);
        if (count(group.resolve("memory.events"), "oom_kill") > 0) {
            return request.memory() == Long.MAX_VALUE
                    ? "out-of-memory: killed because this machine has no more memory"
                    : RunRequest.outOfMemory("more than it requests", request.memory());
        }
        return count(group.resolve("pids.events"), "max") > 0 ? RunRequest.tooManyProcesses() : null;
    }

    private static long count(Path file, String name) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                    .sum();
        } catch (IOException | NumberFormatException none) {
            return 0;
        }
    }

    /** Returns what a run uses and has used. Its peak is known from Linux 5.19 on; before, it is the current memory. */
    public MeasuredUse measured(String run) {
        Path group = folder.resolve(run);
        Long micros = number(group.resolve("cpu.stat"), "usage_usec ");
        Long memory = number(group.resolve("memory.current"), "");
        Long peak = number(group.resolve("memory.peak"), "");
        return new MeasuredUse(
                micros == null ? null : Duration.ofNanos(micros * 1000), memory, peak == null ? memory : peak);
    }

    /** Returns the number that follows these characters at the start of a line; null if there is none. */
    private static @Nullable Long number(Path file, String before) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(before)) {
                    return Long.valueOf(line.substring(before.length()));
                }
            }
            return null;
        } catch (IOException | NumberFormatException none) {
            return null;
        }
    }

    /** Removes the group of a run, unless it has processes. */
    public void remove(String run) {
        remove(folder.resolve(run));
    }

    /** Removes all groups of runs that have no processes. */
    public void removeEmpty() {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(folder, Files::isDirectory)) {
            groups.forEach(Cgroups::remove);
        } catch (IOException e) {
            return; // removed at the next start
        }
    }

    /** Removes this group and those in it, as far as they have no processes. */
    public void removeAll() {
        removeEmpty();
        remove(folder);
    }

    private static void remove(Path group) {
        try {
            Files.deleteIfExists(group);
        } catch (IOException occupied) {
            return; // removed at the next start
        }
    }
}
