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

/** What a file holds, by its keys; by its name if it is of a format that has none. */
public enum FileKind {
    /** Partitions and nothing that could run. */
    QUEUE_CONFIGURATION("queue configuration"),
    /** A cluster at an instant. */
    SNAPSHOT("snapshot"),
    /** Applications whose tasks have commands. */
    JOB_FILE("job file"),
    /** Applications whose tasks have durations, and not all of them commands. */
    JOB_WORKLOAD("workload of jobs"),
    /** How work is made up. */
    SYNTHETIC_WORKLOAD("synthetic workload"),
    /** Nodes and nothing else. */
    NODE_LIST("list of nodes"),
    /** What the columns of tables mean. */
    MAPPING("mapping of columns"),
    /** A log of work in the Standard Workload Format. */
    LOG("log of work"),
    /** Separated values. */
    TABLE("table");

    private static final String PACKED = ".gz";

    private final String words;

    FileKind(String words) {
        this.words = words;
    }

    /** What people call it. */
    public String words() {
        return words;
    }

    /** The kind of this file; or what stands in the way of reading it at all. */
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

    /** An instant makes a snapshot; a snapshot that forgot it is told by its tasks, none of which has a command. */
    private static FileKind of(YamlMap map) {
        if (map.find("synthetic") != null) {
            return SYNTHETIC_WORKLOAD;
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
