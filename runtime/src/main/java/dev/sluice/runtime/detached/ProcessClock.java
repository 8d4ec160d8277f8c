package dev.sluice.runtime.detached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Knows when processes started, in the same words as {@code task.sh}. */
interface ProcessClock {

    /** What stands for the boot where the system does not tell it. */
    String NO_BOOT = "-";

    /** The id of this boot of the machine, or {@link #NO_BOOT}. */
    String boot();

    /** When the process with this id started; null if there is none or it is a zombie. */
    @Nullable String startOf(long pid);

    /** Whether this very process runs. */
    default boolean isAlive(ProcessIdentity identity) {
        return identity.boot().equals(boot()) && identity.start().equals(startOf(identity.pid()));
    }

    /** The clock of this system; {@code ps} is used where there is no {@code /proc}. */
    static ProcessClock ofThisSystem(String ps) {
        try {
            return new Proc(
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
        } catch (IOException notLinux) {
            return new Ps(ps);
        }
    }

    /**
     * Reads Linux's {@code /proc}: hundredths of a second since the boot.
     *
     * @param boot the id of the boot
     */
    record Proc(String boot) implements ProcessClock {

        /** The place of the start among the fields that follow the name, from 0; it is field 22 in proc(5). */
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
     * Asks {@code ps}, which takes milliseconds and knows seconds.
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
