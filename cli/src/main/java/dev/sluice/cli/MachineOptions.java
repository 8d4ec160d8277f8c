package dev.sluice.cli;

import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.Enforcement;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.machine.LimitMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options for what tasks may use of this machine. */
final class MachineOptions {

    @Option(
            names = "--node-gpus",
            paramLabel = "GPUS",
            description =
                    "GPUs for tasks that request gpu: auto (found with nvidia-smi or in /dev), none, a number (4),"
                            + " or indices (0,2-3; 2-2 is one). Each belongs to one task at a time. Default: auto.")
    private @Nullable String gpus;

    @Option(
            names = "--limits",
            paramLabel = "HOW",
            converter = LimitModeConverter.class,
            description = "Enforcement of the memory that tasks request: cgroup (v2; also their cores), watch (every"
                    + " second), none, or auto (cgroup if possible, else watch). Default: auto.")
    private @Nullable LimitMode limits;

    private @Nullable Gpus found;

    /** Returns the name of an option that was given, or null. */
    @Nullable String given() {
        return gpus != null ? "--node-gpus" : limits != null ? "--limits" : null;
    }

    /** Throws if GPUs were given, but fewer than the nodes have. */
    void requireGpus(long ofNodes) {
        if (gpus != null && !gpus.equals("auto") && ofNodes > gpus().count()) {
            throw new UserException("--node-gpus " + gpus + " gives " + gpus() + ", but the nodes have " + ofNodes
                    + " gpu: give as many, or change the nodes");
        }
    }

    /** Returns the GPUs of this machine. */
    Gpus gpus() {
        if (found != null) {
            return found;
        }
        try {
            found = Gpus.parse(gpus == null ? "auto" : gpus);
            return found;
        } catch (IllegalArgumentException e) {
            throw new UserException("--node-gpus: " + e.getMessage());
        }
    }

    /** Returns how limits are enforced on this machine. */
    Enforcement limits() {
        try {
            return Enforcement.of(limits == null ? LimitMode.AUTO : limits);
        } catch (IllegalStateException e) {
            throw new UserException("--limits: " + e.getMessage());
        }
    }

    /**
     * Returns what tasks may use of this machine. If its nodes have more GPUs than there are, their GPUs are only
     * numbers, and no task gets any.
     *
     * @param ofNodes the number of GPUs of all its nodes
     */
    Confinement confinement(long ofNodes) {
        requireGpus(ofNodes);
        return new Confinement(ofNodes > gpus().count() ? Gpus.NONE : gpus(), limits());
    }

    /** Parses {@code auto}, {@code cgroup}, {@code watch} and {@code none}. */
    static final class LimitModeConverter implements ITypeConverter<LimitMode> {
        @Override
        public LimitMode convert(String text) {
            for (LimitMode mode : LimitMode.values()) {
                if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
                    return mode;
                }
            }
            throw new TypeConversionException("'" + text + "' is not auto, cgroup, watch or none");
        }
    }
}
