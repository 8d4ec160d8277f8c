package dev.sluice.benchmarks.rounds;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Where and when something was measured.
 *
 * @param date the day (UTC)
 * @param processor what the system calls it; the architecture where it does not tell
 * @param cores how many of them the JVM may use
 * @param jvm name and version
 * @param options what the JVM was started with
 * @param load how many threads wanted a processor in the minute before (below 0 if the system does not tell)
 */
public record Machine(String date, String processor, int cores, String jvm, List<String> options, double load) {

    /** This one, now. */
    public static Machine here() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return new Machine(
                LocalDate.now(ZoneOffset.UTC).toString(),
                processor(system.getArch()),
                system.getAvailableProcessors(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                Math.round(system.getSystemLoadAverage() * 100) / 100.0);
    }

    private static String processor(String architecture) {
        Path known = Path.of("/proc/cpuinfo");
        try (var lines = Files.lines(known)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse(architecture);
        } catch (IOException e) {
            return architecture; // not a Linux
        }
    }

    /** All of it but the load, which differs from one measurement to the next. */
    public String withoutLoad() {
        return date + ", " + processor + ", " + cores + " cores, " + jvm + " " + String.join(" ", options);
    }

    @Override
    public String toString() {
        return withoutLoad() + ", load " + load;
    }
}
