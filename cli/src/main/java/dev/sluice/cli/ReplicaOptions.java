package dev.sluice.cli;

import dev.sluice.kubernetes.lease.LeaseSettings;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of several servers with one journal, of which one is active. */
final class ReplicaOptions {

    private static final int LABEL_LENGTH_MAX = 63;
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    @Option(
            names = "--standby",
            description = "While another server uses the database, wait until it has ended, then continue in its"
                    + " place. Default: refuse to start.")
    private boolean standby;

    @Option(
            names = "--lease",
            paramLabel = "NAME",
            description = "With --kubernetes: be active only while holding this Lease, in the namespace of the"
                    + " server's pod or of the kubeconfig's context; otherwise wait.")
    private @Nullable String lease;

    @Option(
            names = "--lease-duration",
            paramLabel = "TIME",
            description = "Time after which another server takes over from one that is not heard of. Default: 15s.")
    private @Nullable Duration duration;

    @Option(
            names = "--lease-pod",
            paramLabel = "NAME",
            description = "With --lease: pod of this server. While the server is active, the pod alone has the label"
                    + " sluice.dev/leader with the name of the lease, which a Service can select.")
    private @Nullable String pod;

    /** Returns whether the server waits while another one uses the journal. */
    boolean isStandby() {
        return standby;
    }

    /**
     * Returns the lease, or null if there is none; throws {@link UserException} if an option is missing or has no
     * effect.
     */
    @Nullable LeaseSettings lease(boolean hasCluster, boolean hasDatabase) {
        if (standby && !hasDatabase) {
            throw new UserException("--standby requires --database-url");
        }
        if (lease == null) {
            String useless = duration != null ? "--lease-duration" : pod != null ? "--lease-pod" : null;
            if (useless != null) {
                throw new UserException(useless + " has no effect without --lease: add it");
            }
            return null;
        }
        if (standby) {
            throw new UserException("--standby and --lease exclude each other: remove one");
        }
        if (!NAME.matcher(lease).matches()) {
            throw new UserException(
                    "--lease " + lease + ": must be a name such as sluice, of lower-case letters, digits, - and .");
        }
        if (pod != null && !NAME.matcher(pod).matches()) {
            throw new UserException("--lease-pod " + pod + ": must be the name of a pod");
        }
        if (pod != null && lease.length() > LABEL_LENGTH_MAX) {
            throw new UserException("--lease " + lease + ": must have at most " + LABEL_LENGTH_MAX
                    + " characters with --lease-pod, whose label has this value");
        }
        if (!hasCluster || !hasDatabase) {
            throw new UserException("--lease requires " + (hasCluster ? "--database-url" : "--kubernetes"));
        }
        Duration time = duration == null ? LeaseSettings.DURATION_DEFAULT : duration;
        if (time.compareTo(LeaseSettings.DURATION_MIN) < 0) {
            throw new UserException(
                    "--lease-duration must be at least " + LeaseSettings.DURATION_MIN.toSeconds() + "s");
        }
        String host = System.getenv().getOrDefault("HOSTNAME", "sluice");
        return new LeaseSettings(
                lease, time, host + "_" + UUID.randomUUID().toString().substring(0, 8), pod);
    }
}
