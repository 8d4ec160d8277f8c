package dev.sluice.kubernetes.cluster;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.kubernetes.configuration.ClusterConfiguration;
import dev.sluice.runtime.host.ConfigurationRecorder;
import dev.sluice.runtime.host.TransactionContext;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the configuration in config maps when they change; see {@link ClusterConfiguration}. Without a config map the
 * configuration is left as it is. Confined to the thread of the engine.
 */
final class ConfigurationFollower {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationFollower.class);
    private static final Set<String> NAMES =
            Set.of(ClusterConfiguration.SLUICE, ClusterConfiguration.YUNIKORN, ClusterConfiguration.YUNIKORN_DEFAULTS);

    private final ConfigurationRecorder recorder;
    private final BiConsumer<ObjectReference, String> refused;
    private final SortedMap<String, ConfigMap> maps = new TreeMap<>();
    private boolean changed;

    /**
     * Creates a follower without config maps.
     *
     * @param recorder keeps the revisions
     * @param refused receives config maps that are refused, with the reason
     */
    ConfigurationFollower(ConfigurationRecorder recorder, BiConsumer<ObjectReference, String> refused) {
        this.recorder = recorder;
        this.refused = refused;
    }

    /** Adds or replaces a config map; those with other names have no effect. */
    void put(ConfigMap map) {
        String name = map.getMetadata().getName();
        changed |= NAMES.contains(name) && !map.equals(maps.put(name, map));
    }

    /** Removes a config map. */
    void remove(String name) {
        changed |= maps.remove(name) != null;
    }

    /** Applies the configuration if the config maps have changed since the last call. */
    void follow(TransactionContext context) {
        if (!changed) {
            return;
        }
        changed = false;
        ClusterConfiguration configuration = ClusterConfiguration.of(maps.values());
        List<PartitionConfiguration> partitions = configuration.result().valueOrNull();
        if (partitions == null) {
            refuse(configuration.message());
        } else if (configuration.source() != null) {
            apply(configuration, partitions, context);
        }
    }

    private void apply(
            ClusterConfiguration configuration, List<PartitionConfiguration> partitions, TransactionContext context) {
        Refusal refusal =
                context.handle(new Command.ApplyConfiguration(partitions)).refusal();
        if (refusal != null) {
            refuse("configuration refused: " + configuration.source() + ": " + refusal.message());
            return;
        }
        recorder.record(context, "", String.valueOf(configuration.source()));
        LOG.info("{}", configuration.message());
    }

    private void refuse(String message) {
        LOG.warn("{}", message);
        for (ConfigMap map : maps.values()) {
            refused.accept(
                    new ObjectReferenceBuilder()
                            .withApiVersion("v1")
                            .withKind("ConfigMap")
                            .withNamespace(map.getMetadata().getNamespace())
                            .withName(map.getMetadata().getName())
                            .withUid(map.getMetadata().getUid())
                            .build(),
                    message);
        }
    }
}
