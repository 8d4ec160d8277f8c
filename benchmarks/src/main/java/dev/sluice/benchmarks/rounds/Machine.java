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
 * @param date the date (UTC)
 * @param processor the model name; the architecture if unknown
 * @param cores the number of cores available to the JVM
 * @param jvm the name and version of the JVM
 * @param options the options of the JVM
 * @param load the load average of the minute before; negative if unknown
 */
public record Machine(String date, String processor, int cores, String jvm, List<String> options, double load) {

    /** Returns this machine at present. */
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
            return architecture; // not Linux
        }
    }

    /** Returns a description without the load, which differs between measurements. */
    public String withoutLoad() {
        return date + ", " + processor + ", " + cores + " cores, " + jvm + " " + String.join(" ", options);
    }

    @Override
    public String toString() {
        return withoutLoad() + ", load " + load;
    }
}
