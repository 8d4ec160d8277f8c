package dev.sluice.kubernetes.configuration;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.core.configuration.PartitionConfiguration;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that the config maps of the scheduler's namespace contain: {@code sluice-config}, otherwise
 * {@code yunikorn-configs} with {@code yunikorn-defaults} for the entries that it lacks ("Service Configuration" in
 * YuniKorn's documentation).
 *
 * <p>The entry {@code queues.yaml} is read as the file of that name is, or the one that {@code service.policyGroup}
 * names. It is accepted or refused as a whole. Nodes and pods of a cluster are in partition {@code default}.
 *
 * @param source the config map that was read, as in {@code configmap sluice/sluice-config}; null if there is none
 * @param result the partitions, or the problems that prevent them, with warnings about what has no effect
 */
public record ClusterConfiguration(@Nullable String source, ParseResult<List<PartitionConfiguration>> result) {

    /** The name of the config map in Sluice's own words. */
    public static final String SLUICE = "sluice-config";

    /** The name of YuniKorn's config map. */
    public static final String YUNIKORN = "yunikorn-configs";

    /** The name of the config map with what YuniKorn's Helm chart has configured. */
    public static final String YUNIKORN_DEFAULTS = "yunikorn-defaults";

    /** The maximum length of the message of an event in Kubernetes, in UTF-8. */
    static final int MESSAGE_BYTES_MAX = 1024;

    private static final String POLICY_GROUP = "service.policyGroup";
    private static final String SUFFIX = ".yaml";
    private static final String QUEUES = "queues" + SUFFIX;

    /**
     * What YuniKorn uses if its config maps contain no queues: one queue for each namespace. Applications of job files,
     * which have no namespace, are in {@code root.default}.
     */
    private static final String DEFAULT_OF_YUNIKORN = """
            partitions:
              - name: default
                placementrules:
                  - {name: tag, value: namespace, create: true}
                  - {name: fixed, value: root.default, create: true}
                queues: [{name: root, submitacl: "*"}]
            """;

    /**
     * Reads the configuration of these config maps of one namespace; those with other names are ignored. Without any,
     * it is the default one.
     */
    public static ClusterConfiguration of(Collection<ConfigMap> maps) {
        ConfigMap own = named(SLUICE, maps);
        List<ConfigMap> used = new ArrayList<>();
        List<Problem> warnings = new ArrayList<>();
        for (String name : List.of(YUNIKORN_DEFAULTS, YUNIKORN)) {
            ConfigMap map = named(name, maps);
            if (map != null && own != null) {
                warnings.add(about(
                        ConfigEntries.sourceOf(map), "has no effect: " + ConfigEntries.sourceOf(own) + " is used"));
            } else if (map != null) {
                used.add(map);
            }
        }
        if (own != null) {
            used.add(own);
        }
        if (used.isEmpty()) {
            return new ClusterConfiguration(
                    null, new ParseResult<>(List.of(PartitionConfiguration.simplest()), List.of(), 0, List.of()));
        }
        ConfigEntries entries = new ConfigEntries();
        used.forEach(entries::add);
        ConfigMap last = used.get(used.size() - 1);
        return read(ConfigEntries.sourceOf(last), own == null, entries, warnings);
    }

    private static @Nullable ConfigMap named(String name, Collection<ConfigMap> maps) {
        for (ConfigMap map : maps) {
            if (map.getMetadata().getName().equals(name)) {
                return map;
            }
        }
        return null;
    }

    private static ClusterConfiguration read(
            String source, boolean yunikorn, ConfigEntries entries, List<Problem> warnings) {
        ConfigEntries.Entry group = entries.byKey().get(POLICY_GROUP);
        String key = group == null ? QUEUES : group.text().trim() + SUFFIX;
        ConfigEntries.Entry queues = entries.byKey().get(key);
        entries.byKey().forEach((other, entry) -> {
            if (!other.equals(key) && !other.equals(POLICY_GROUP)) {
                warnings.add(about(entry.source(), withoutEffect(other, key)));
            }
        });
        if (!entries.problems().isEmpty()) {
            return new ClusterConfiguration(source, new ParseResult<>(null, entries.problems(), 0, warnings));
        }
        ParseResult<List<PartitionConfiguration>> result;
        if (queues != null) {
            source = queues.source();
            result = QueueConfigurationReader.read(source + ", " + key, queues.text());
        } else if (yunikorn && group == null) {
            result = QueueConfigurationReader.read(source, DEFAULT_OF_YUNIKORN);
        } else {
            result = new ParseResult<>(null, List.of(about(source, missing(key, group))), 0, List.of());
        }
        warnings.addAll(result.warnings());
        return new ClusterConfiguration(source, checked(source + ", " + key, result, warnings));
    }

    private static String withoutEffect(String key, String used) {
        return key.endsWith(SUFFIX)
                ? key + " has no effect: " + used + " is used; " + POLICY_GROUP + " names another one"
                : key + " has no effect in Sluice";
    }

    private static String missing(String key, ConfigEntries.@Nullable Entry group) {
        return group == null
                ? "no entry " + key + ": add it with the text of a queue configuration"
                : "no entry " + key + ", which " + POLICY_GROUP + " names: add it, or name another one";
    }

    private static ParseResult<List<PartitionConfiguration>> checked(
            String file, ParseResult<List<PartitionConfiguration>> result, List<Problem> warnings) {
        List<PartitionConfiguration> partitions = result.valueOrNull();
        if (partitions == null) {
            return new ParseResult<>(null, result.problems(), result.problemsLeftOut(), warnings);
        }
        boolean found = false;
        for (PartitionConfiguration partition : partitions) {
            if (partition.name().equals(PartitionConfiguration.DEFAULT_NAME)) {
                found = true;
            } else {
                warnings.add(about(
                        file,
                        "partition " + partition.name() + " has no nodes: those of the cluster are in partition "
                                + PartitionConfiguration.DEFAULT_NAME));
            }
        }
        return found
                ? new ParseResult<>(partitions, List.of(), 0, warnings)
                : new ParseResult<>(
                        null,
                        List.of(about(
                                file,
                                "no partition " + PartitionConfiguration.DEFAULT_NAME
                                        + ": add it, since nodes and pods of the cluster are in it")),
                        0,
                        warnings);
    }

    private static Problem about(String file, String message) {
        return new Problem(file, 0, 0, "", message);
    }

    /** Returns the message of an event: whether the configuration is accepted, and what is wrong with it. */
    public String message() {
        if (!result.isOk()) {
            return shortened("configuration refused: " + result.report());
        }
        StringBuilder text = new StringBuilder();
        text.append(
                source == null
                        ? "default configuration: no configmap " + SLUICE + " or " + YUNIKORN
                        : "configuration accepted: " + source);
        result.warnings().forEach(warning -> text.append("\nwarning: ").append(warning));
        return shortened(text.toString());
    }

    private static String shortened(String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length <= MESSAGE_BYTES_MAX) {
            return text;
        }
        CharBuffer all = CharBuffer.wrap(text);
        ByteBuffer kept = ByteBuffer.allocate(MESSAGE_BYTES_MAX - 4);
        var unused = StandardCharsets.UTF_8.newEncoder().encode(all, kept, true); // stops before the bytes are full
        return text.substring(0, all.position()) + " ...";
    }
}
