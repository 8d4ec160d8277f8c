package dev.sluice.runtime.detached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the start times of processes, in the same format as {@code task.sh}. */
interface ProcessClock {

    /** The placeholder on systems that have no boot id. */
    String NO_BOOT = "-";

    /** Returns the id of this boot of the machine, or {@link #NO_BOOT}. */
    String boot();

    /** Returns the start time of the process with this id; null if there is none or it is a zombie. */
    @Nullable String startOf(long pid);

    /** Returns whether exactly this process is running, not another one with the same id. */
    default boolean isAlive(ProcessIdentity identity) {
        return identity.boot().equals(boot()) && identity.start().equals(startOf(identity.pid()));
    }

    /** Returns the clock of this system; uses {@code ps} where there is no {@code /proc}. */
    static ProcessClock ofThisSystem(String ps) {
        try {
            return new Proc(
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
        } catch (IOException notLinux) {
            return new Ps(ps);
        }
    }

    /**
     * Reads Linux's {@code /proc}; start times are in hundredths of a second since boot.
     *
     * @param boot the id of the boot
     */
    record Proc(String boot) implements ProcessClock {

        /** The index, from 0, of the start time among the fields after the name; field 22 in proc(5). */
        private static final int START = 19;

        @Override
        public @Nullable String startOf(long pid) {
            try (FileInputStream in = new FileInputStream("/proc/" + pid + "/stat")) {
                return parse(new String(in.readNBytes(1024), ISO_8859_1));
            } catch (IOException gone) {
                return null;
            }
        }

        static @Nullable String parse(String stat) {
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ", START + 2);
            return fields.length <= START || fields[0].equals("Z") || fields[0].equals("X") ? null : fields[START];
        }
    }

    /**
     * Runs {@code ps}, which takes milliseconds and has a resolution of one second.
     *
     * @param ps the program
     */
    record Ps(String ps) implements ProcessClock {

        @Override
        public String boot() {
            return NO_BOOT;
        }

        @Override
        public @Nullable String startOf(long pid) {
            ProcessBuilder builder = new ProcessBuilder(ps, "-o", "stat=,lstart=", "-p", Long.toString(pid))
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("TZ", "UTC0");
            builder.environment().put("LC_ALL", "C");
            try {
                Process process = builder.start();
                process.getOutputStream().close();
                String text = new String(process.getInputStream().readAllBytes(), ISO_8859_1).strip();
                int blank = text.indexOf(' ');
                return blank < 0 || text.startsWith("Z")
                        ? null
                        : text.substring(blank).strip();
            } catch (IOException e) {
                return null;
            }
        }
    }
}
