package dev.sluice.cli.source;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlList;
import dev.sluice.config.yaml.YamlMap;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The type of a file, inferred from its keys, or from its name for formats without keys. */
public enum FileKind {
    /** Only partitions. */
    QUEUE_CONFIGURATION("queue configuration"),
    /** A cluster at an instant. */
    SNAPSHOT("snapshot"),
    /** Applications whose tasks have commands. */
    JOB_FILE("job file"),
    /** Applications whose tasks have durations; not all tasks have commands. */
    JOB_WORKLOAD("job workload"),
    /** Parameters of a generated workload. */
    SYNTHETIC_WORKLOAD("synthetic workload"),
    /** Only nodes. */
    NODE_LIST("node list"),
    /** Who a server notifies, and of what. */
    NOTIFICATIONS("notification file"),
    /** Meaning of the columns of tables. */
    MAPPING("column mapping"),
    /** A log in the Standard Workload Format. */
    LOG("workload log"),
    /** Comma- or tab-separated values. */
    TABLE("table");

    private static final String PACKED = ".gz";

    private final String displayName;

    FileKind(String displayName) {
        this.displayName = displayName;
    }

    /** Returns the name of the type in messages. */
    public String displayName() {
        return displayName;
    }

    /** Returns the type of a file, or the errors that prevent reading it. */
    public static ParseResult<FileKind> of(SourceFile file) {
        FileKind named = byName(file.name().toLowerCase(Locale.ROOT));
        if (named != null) {
            return new ParseResult<>(named, List.of(), 0, List.of());
        }
        return file.read(
                path -> {
                    Problems problems = new Problems(path.toString());
                    return of(YamlReader.read(path, problems), problems);
                },
                (name, text) -> {
                    Problems problems = new Problems(name);
                    return of(YamlReader.read(text, problems), problems);
                });
    }

    private static ParseResult<FileKind> of(@Nullable YamlValue document, Problems problems) {
        if (document == null) {
            return problems.result(null);
        }
        return problems.result(document instanceof YamlMap map ? of(map) : JOB_FILE);
    }

    private static @Nullable FileKind byName(String name) {
        String plain = name.endsWith(PACKED) ? name.substring(0, name.length() - PACKED.length()) : name;
        return plain.endsWith(".swf") ? LOG : plain.endsWith(".csv") || plain.endsWith(".tsv") ? TABLE : null;
    }

    /** An instant makes a snapshot; a snapshot without one is recognized by tasks without commands. */
    private static FileKind of(YamlMap map) {
        if (map.find("synthetic") != null) {
            return SYNTHETIC_WORKLOAD;
        }
        if (map.find("targets") != null || map.find("thresholds") != null) {
            return NOTIFICATIONS;
        }
        if (isMap(map, "applications") || isMap(map, "nodes")) {
            return MAPPING;
        }
        if (map.entries().size() == 1 && map.find("nodes") != null) {
            return NODE_LIST;
        }
        if (tasks(map).anyMatch(task -> has(task, "duration")) && !tasks(map).allMatch(task -> has(task, "command"))) {
            return JOB_WORKLOAD;
        }
        if (map.find("at") != null) {
            return anyCommand(map) && map.find("nodes") == null && map.find("queues") == null ? JOB_FILE : SNAPSHOT;
        }
        boolean nodes = map.find("nodes") != null;
        if (map.find("applications") == null && map.find("tasks") == null) {
            return nodes ? SNAPSHOT : map.find("partitions") != null ? QUEUE_CONFIGURATION : JOB_FILE;
        }
        return nodes && !anyCommand(map) ? SNAPSHOT : JOB_FILE;
    }

    private static boolean isMap(YamlMap map, String key) {
        YamlMap.Entry entry = map.find(key);
        return entry != null && entry.value() instanceof YamlMap;
    }

    private static boolean anyCommand(YamlMap map) {
        return tasks(map).anyMatch(task -> has(task, "command"));
    }

    private static Stream<YamlValue> tasks(YamlMap map) {
        return Stream.concat(Stream.of(map), items(map, "applications"))
                .flatMap(each -> each instanceof YamlMap application ? items(application, "tasks") : Stream.empty());
    }

    private static boolean has(YamlValue task, String key) {
        return task instanceof YamlMap fields && fields.find(key) != null;
    }

    private static Stream<YamlValue> items(YamlMap map, String key) {
        YamlMap.Entry entry = map.find(key);
        return entry != null && entry.value() instanceof YamlList list ? list.items().stream() : Stream.empty();
    }
}
