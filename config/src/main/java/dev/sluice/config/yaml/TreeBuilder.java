package dev.sluice.config.yaml;

import dev.sluice.config.problem.Problems;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Builds a tree from the events of the parser, without recursion.
 *
 * <p>An alias shares the value it refers to. Sizes and depths are counted as if it were written out, so that walking
 * the tree is as bounded as building it. Merge keys ({@code <<}) are resolved here.
 */
final class TreeBuilder {

    private final Problems problems;
    private final Deque<OpenNode> open = new ArrayDeque<>();
    private final Map<String, BuiltNode> anchors = new HashMap<>();
    private final Set<String> anchorsOpen = new HashSet<>();
    private final TextInterner interner;
    private @Nullable BuiltNode root;
    private int values;

    TreeBuilder(Problems problems, TextInterner interner) {
        this.problems = problems;
        this.interner = interner;
    }

    /** Returns the document of these events; throws {@link InvalidYamlException} if the rest must not be read. */
    @Nullable YamlValue build(Iterator<Event> events) {
        boolean begun = false;
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof DocumentStartEvent) {
                if (begun) {
                    throw invalid(event, "only one document per file: a second one starts here");
                }
                begun = true;
            } else if (event instanceof AliasEvent alias) {
                alias(alias);
            } else if (event instanceof ScalarEvent scalar) {
                scalar(scalar);
            } else if (event instanceof CollectionStartEvent start) {
                start(start);
            } else if (event instanceof CollectionEndEvent) {
                end();
            }
        }
        if (root == null || (root.value instanceof YamlScalar scalar && scalar.isNull())) {
            problems.error(1, 1, "the file is empty");
            return null;
        }
        return root.value;
    }

    private void scalar(ScalarEvent event) {
        Mark mark = mark(event);
        String tag = event.getTag().orElse("");
        boolean quoted = !event.isPlain() || tag.equals("!") || tag.equals("tag:yaml.org,2002:str");
        checkTag(tag, mark);
        String text = interner.text(event.getValue());
        boolean plainTag = tag.startsWith("tag:yaml.org,2002:") && !tag.endsWith(":str");
        add(
                event,
                new BuiltNode(
                        new YamlScalar(text, quoted && !plainTag, mark.getLine() + 1, mark.getColumn() + 1), 1, 1));
    }

    private void checkTag(String tag, Mark mark) {
        switch (tag) {
            case "", "!" -> {}
            case "tag:yaml.org,2002:str",
                    "tag:yaml.org,2002:int",
                    "tag:yaml.org,2002:float",
                    "tag:yaml.org,2002:bool",
                    "tag:yaml.org,2002:null",
                    "tag:yaml.org,2002:map",
                    "tag:yaml.org,2002:seq" -> {}
            default ->
                problems.error(
                        mark.getLine() + 1,
                        mark.getColumn() + 1,
                        "unknown tag \"" + tag.replace("tag:yaml.org,2002:", "!!") + "\": leave it out");
        }
    }

    private void start(CollectionStartEvent event) {
        Mark mark = mark(event);
        checkTag(event.getTag().orElse(""), mark);
        if (expectsKey()) {
            throw invalid(event, "a key must be text, not a list or a map: put it in quotes");
        }
        if (open.size() >= YamlLimits.DEPTH_MAX) {
            throw invalid(event, "lists and maps are nested too deeply: the maximum is " + YamlLimits.DEPTH_MAX);
        }
        event.getAnchor().map(Anchor::getValue).ifPresent(anchorsOpen::add);
        open.push(new OpenNode(event, mark.getLine() + 1, mark.getColumn() + 1));
    }

    private void end() {
        OpenNode ended = open.pop();
        ended.start.getAnchor().map(Anchor::getValue).ifPresent(anchorsOpen::remove);
        add(ended.start, ended.built(problems));
    }

    private void alias(AliasEvent event) {
        String name = event.getAlias().getValue();
        if (anchorsOpen.contains(name)) {
            throw invalid(event, "the alias *" + name + " refers to a value that contains it");
        }
        BuiltNode built = anchors.get(name);
        if (built == null) {
            throw invalid(event, "the alias *" + name + " is not defined: no &" + name + " comes before it");
        }
        if (open.size() + built.height > YamlLimits.DEPTH_MAX + 1) {
            throw invalid(event, "lists and maps are nested too deeply: the maximum is " + YamlLimits.DEPTH_MAX);
        }
        if (expectsKey() && !(built.value instanceof YamlScalar)) {
            throw invalid(event, "a key must be text, not a list or a map: put it in quotes");
        }
        put(event, built);
    }

    private void add(NodeEvent event, BuiltNode built) {
        event.getAnchor().ifPresent(anchor -> anchors.put(anchor.getValue(), built));
        put(event, built);
    }

    private void put(Event event, BuiltNode built) {
        // the contents of a list or a map were counted when they were added; an alias counts all of them again
        values += event instanceof AliasEvent ? built.size : 1;
        if (values > YamlLimits.VALUES_MAX) {
            throw invalid(
                    event,
                    "too many values" + (anchors.isEmpty() ? "" : ", including those of aliases") + ": at most "
                            + YamlLimits.VALUES_MAX);
        }
        OpenNode parent = open.peek();
        if (parent == null) {
            root = built;
        } else {
            parent.take(built);
        }
    }

    private boolean expectsKey() {
        OpenNode parent = open.peek();
        return parent != null && parent.isMap && parent.key == null;
    }

    private static Mark mark(Event event) {
        return event.getStartMark().orElseThrow();
    }

    private static InvalidYamlException invalid(Event event, String reason) {
        Mark mark = mark(event);
        return new InvalidYamlException(mark.getLine() + 1, mark.getColumn() + 1, reason);
    }

    /** A value, its number of values with aliases written out, and its depth. */
    private record BuiltNode(YamlValue value, int size, int height) {}

    /** A list or a map whose end event has not been read yet. */
    private static final class OpenNode {

        private final CollectionStartEvent start;
        private final int line;
        private final int column;
        private final boolean isMap;
        private final List<YamlValue> items = new ArrayList<>(4);
        private final List<YamlMap.Entry> entries = new ArrayList<>(4);
        private @Nullable YamlScalar key;
        private boolean merges;
        private int size = 1;
        private int height = 1;

        OpenNode(CollectionStartEvent start, int line, int column) {
            this.start = start;
            this.line = line;
            this.column = column;
            this.isMap = start instanceof MappingStartEvent;
        }

        void take(BuiltNode built) {
            size += built.size;
            height = Math.max(height, built.height + 1);
            if (!isMap) {
                items.add(built.value);
            } else if (key == null) {
                key = (YamlScalar) built.value;
            } else {
                merges |= isMerge(key);
                entries.add(new YamlMap.Entry(key, built.value));
                key = null;
            }
        }

        BuiltNode built(Problems problems) {
            if (!isMap) {
                return new BuiltNode(new YamlList(List.copyOf(items), line, column), size, height);
            }
            List<YamlMap.Entry> resolved = merges ? merged(problems) : entries;
            return new BuiltNode(new YamlMap(distinct(resolved, problems), line, column), size, height);
        }

        private static boolean isMerge(YamlScalar key) {
            return !key.quoted() && key.text().equals("<<");
        }

        /** Returns the entries followed by those of the merged maps, without duplicates. */
        private List<YamlMap.Entry> merged(Problems problems) {
            List<YamlMap.Entry> all = new ArrayList<>();
            List<YamlMap.Entry> added = new ArrayList<>();
            for (YamlMap.Entry entry : entries) {
                if (!isMerge(entry.key())) {
                    all.add(entry);
                } else if (entry.value() instanceof YamlMap map) {
                    added.addAll(map.entries());
                } else if (entry.value() instanceof YamlList list
                        && list.items().stream().allMatch(YamlMap.class::isInstance)) {
                    list.items().forEach(item -> added.addAll(((YamlMap) item).entries()));
                } else {
                    problems.error(
                            entry.value().line(),
                            entry.value().column(),
                            "the value of << must be an alias of a map, or a list of them");
                }
            }
            Set<String> there = new HashSet<>();
            all.forEach(entry -> there.add(entry.key().text()));
            added.stream().filter(entry -> there.add(entry.key().text())).forEach(all::add);
            return all;
        }

        private List<YamlMap.Entry> distinct(List<YamlMap.Entry> all, Problems problems) {
            Map<String, YamlScalar> there = all.size() > 8 ? new HashMap<>() : Map.of();
            List<YamlMap.Entry> distinct = new ArrayList<>(all.size());
            for (YamlMap.Entry entry : all) {
                YamlScalar first =
                        all.size() > 8 ? there.putIfAbsent(entry.key().text(), entry.key()) : find(distinct, entry);
                if (first == null) {
                    distinct.add(entry);
                } else {
                    problems.error(
                            entry.key().line(),
                            entry.key().column(),
                            "duplicate key \"" + entry.key().text() + "\": first in line " + first.line());
                }
            }
            return List.copyOf(distinct);
        }

        private static @Nullable YamlScalar find(List<YamlMap.Entry> entries, YamlMap.Entry wanted) {
            for (YamlMap.Entry entry : entries) {
                if (entry.key().text().equals(wanted.key().text())) {
                    return entry.key();
                }
            }
            return null;
        }
    }

    /** Stops reading the document because of an error. */
    static final class InvalidYamlException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final int line;
        private final int column;

        InvalidYamlException(int line, int column, String reason) {
            super(reason);
            this.line = line;
            this.column = column;
        }

        int line() {
            return line;
        }

        int column() {
            return column;
        }

        String reason() {
            return Objects.requireNonNull(getMessage());
        }
    }
}
