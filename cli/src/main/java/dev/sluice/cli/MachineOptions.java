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
                            + " or indices (0,2-3; 2-2 is index 2 alone). Each belongs to one task at a time. Default: auto.")
    private @Nullable String gpus;

    @Option(
            names = "--limits",
            paramLabel = "HOW",
            converter = LimitModeConverter.class,
            description = "Enforcement of the memory that tasks request, and of at most 8192 processes and threads of a"
                    + " task: cgroup (v2; also their cores), watch (reads the process table every few seconds), none, or"
                    + " auto (cgroup if possible, else watch). Default: auto.")
    private @Nullable LimitMode limits;

    private @Nullable Gpus found;
    private @Nullable Enforcement enforcement;

    /** Returns the name of an option that was given, or null. */
    @Nullable String given() {
        return gpus != null ? "--node-gpus" : limits != null ? "--limits" : null;
    }

    /** Throws if there are GPUs, but fewer than the nodes have. */
    void requireGpus(long ofNodes) {
        boolean isGiven = gpus != null && !gpus.equals("auto");
        int count = gpus().count();
        if (ofNodes <= count || (count == 0 && !isGiven) || "none".equals(gpus)) {
            return;
        }
        throw new UserException(
                isGiven
                        ? "--node-gpus " + gpus + " gives " + gpus() + ", but the nodes have " + ofNodes
                                + " gpu: give as many, or change the nodes"
                        : "this machine has " + gpus() + ", but the nodes have " + ofNodes
                                + " gpu: change the nodes, or add --node-gpus none, which assigns no GPUs to tasks");
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
        if (enforcement != null) {
            return enforcement;
        }
        try {
            enforcement = Enforcement.of(limits == null ? LimitMode.AUTO : limits);
            return enforcement;
        } catch (IllegalStateException e) {
            throw new UserException("--limits: " + e.getMessage());
        }
    }

    /**
     * Returns what tasks may use of this machine. If its nodes have GPUs, but the machine has none, they are only
     * counted, and no task gets any.
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
