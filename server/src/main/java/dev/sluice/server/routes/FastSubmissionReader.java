package dev.sluice.server.routes;

import dev.sluice.config.field.DurationText;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads common, valid JSON submissions about twenty times as fast as the job file reader. Falls back to that reader for
 * everything else, so errors are reported in one place, with line and column.
 */
final class FastSubmissionReader {

    // Duplicate keys are detected here instead.
    private static final JsonFactory JSON = new JsonFactory();

    private static final List<String> APPLICATION_KEYS =
            List.of("id", "name", "queue", "user", "groups", "tags", "tag", "basis", "sealed", "onfailure", "tasks");
    private static final List<String> TASK_KEYS = List.of(
            "id",
            "count",
            "resources",
            "priority",
            "expectedduration",
            "durationkey",
            "labels",
            "requirednode",
            "retries",
            "lostretries",
            "timeout",
            "command",
            "env",
            "directory");

    /** Maximum number of comparisons to rule out overlapping task ids. */
    private static final int COMPARISONS_MAX = 10_000;

    private final Predicate<String> isLeaf;
    private final ValueInterner shared;

    /** Thrown to fall back to the other reader; has no message and no stack trace. */
    private static final class FastPathMiss extends RuntimeException {
        private static final long serialVersionUID = 1;

        FastPathMiss() {
            super(null, null, false, false);
        }
    }

    /**
     * Creates a reader for one submission.
     *
     * @param shared values shared with previous submissions
     * @param isLeaf returns whether a path is a configured leaf queue of the partition
     */
    FastSubmissionReader(ValueInterner shared, Predicate<String> isLeaf) {
        this.shared = shared;
        this.isLeaf = isLeaf;
    }

    /** Returns the submission, with {@code idIfNone} if it has no id; null to fall back to the other reader. */
    @Nullable ApplicationSpec read(String text, String idIfNone) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            ApplicationSpec spec = application(parser, idIfNone);
            return parser.nextToken() == null ? spec : null;
        } catch (FastPathMiss | JacksonException | IllegalArgumentException e) {
            return null;
        }
    }

    private ApplicationSpec application(JsonParser parser, String idIfNone) {
        int seen = 0;
        String id = null;
        String name = null;
        String queue = null;
        String user = ApplicationSpec.NOBODY;
        List<String> groups = List.of();
        SortedMap<String, String> tags = new TreeMap<>();
        String tag = null;
        String basis = null;
        boolean sealed = false;
        FailurePolicy onFailure = FailurePolicy.CONTINUE;
        List<TaskSpec> tasks = List.of();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            seen = markSeen(seen, APPLICATION_KEYS, key);
            parser.nextToken();
            switch (key) {
                case "id" -> id = unique(parser);
                case "name" -> name = name(parser);
                case "queue" -> queue = name(parser).toLowerCase(Locale.ROOT);
                case "user" -> user = name(parser);
                case "groups" -> groups = names(parser);
                case "tags" -> tags = texts(parser);
                case "tag" -> tag = name(parser);
                case "basis" -> basis = name(parser);
                case "sealed" -> sealed = flag(parser);
                case "onfailure" -> onFailure = policy(text(parser));
                case "tasks" -> tasks = tasks(parser);
                default -> throw new FastPathMiss();
            }
        }
        require(queue == null || isLeaf.test(queue));
        require(basis == null || tag != null);
        String known = id == null ? idIfNone : id;
        return new ApplicationSpec(
                known, name == null ? known : name, queue, user, groups, tags, tag, basis, sealed, onFailure, tasks);
    }

    /** Adds the bit of {@code key}, which must be one of {@code keys} and not in {@code seen}, to {@code seen}. */
    private static int markSeen(int seen, List<String> keys, String key) {
        int index = keys.indexOf(key);
        require(index >= 0 && (seen & 1 << index) == 0);
        return seen | 1 << index;
    }

    private static FailurePolicy policy(String wireName) {
        for (FailurePolicy policy : FailurePolicy.values()) {
            if (policy.wireName().equals(wireName)) {
                return policy;
            }
        }
        throw new FastPathMiss();
    }

    private List<TaskSpec> tasks(JsonParser parser) {
        require(parser.currentToken() == JsonToken.START_ARRAY);
        List<TaskSpec> tasks = new ArrayList<>();
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            tasks.add(task(parser));
        }
        require(parser.currentToken() == JsonToken.END_ARRAY && areDistinct(tasks));
        return tasks;
    }

    /** Returns whether no two tasks can have the same id. */
    private static boolean areDistinct(List<TaskSpec> tasks) {
        if (tasks.size() <= 1) {
            return true;
        }
        Set<String> names = new HashSet<>();
        List<String> counted = new ArrayList<>();
        for (TaskSpec task : tasks) {
            if (!names.add(task.name())) {
                return false;
            }
            if (task.count() != TaskSpec.SINGLE) {
                counted.add(task.name() + "-");
            }
        }
        if ((long) counted.size() * tasks.size() > COMPARISONS_MAX) {
            return false;
        }
        for (String prefix : counted) {
            for (TaskSpec task : tasks) {
                if (task.name().startsWith(prefix)) {
                    return false;
                }
            }
        }
        return true;
    }

    private TaskSpec task(JsonParser parser) {
        int seen = 0;
        String id = null;
        int count = TaskSpec.SINGLE;
        Resources resources = Resources.NONE;
        int priority = 0;
        Duration expected = Duration.ZERO;
        String durationKey = null;
        SortedMap<String, String> labels = Collections.emptySortedMap();
        String node = null;
        int retries = Attempts.DEFAULTS.retries();
        int lostRetries = Attempts.DEFAULTS.lostRetries();
        Duration timeout = null;
        List<String> command = null;
        boolean shell = false;
        SortedMap<String, String> environment = Collections.emptySortedMap();
        String directory = null;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            seen = markSeen(seen, TASK_KEYS, key);
            parser.nextToken();
            switch (key) {
                case "id" -> id = name(parser);
                case "count" -> count = number(parser, 1, TaskSpec.COUNT_MAX);
                case "resources" -> resources = resources(parser);
                case "priority" -> priority = number(parser, Integer.MIN_VALUE, Integer.MAX_VALUE);
                case "expectedduration" -> expected = DurationText.parse(text(parser));
                case "durationkey" -> durationKey = name(parser);
                case "labels" -> labels = texts(parser);
                case "requirednode" -> node = name(parser);
                case "retries" -> retries = number(parser, 0, Integer.MAX_VALUE);
                case "lostretries" -> lostRetries = number(parser, 0, Integer.MAX_VALUE);
                case "timeout" -> timeout = DurationText.parse(text(parser));
                case "command" -> {
                    shell = parser.currentToken() == JsonToken.VALUE_STRING;
                    command = shell ? List.of(name(parser)) : names(parser);
                }
                case "env" -> environment = texts(parser);
                case "directory" -> directory = name(parser);
                default -> throw new FastPathMiss();
            }
        }
        if (id == null) {
            throw new FastPathMiss();
        }
        require((timeout == null || !timeout.isZero())
                && (command != null || (environment.isEmpty() && directory == null)));
        require(command == null || (!command.isEmpty() && !command.get(0).isBlank()));
        return new TaskSpec(
                id,
                new TaskKind(
                        count,
                        resources,
                        priority,
                        expected,
                        durationKey,
                        labels,
                        node,
                        Map.of(),
                        attempts(retries, lostRetries, timeout),
                        command == null ? null : new TaskCommand(command, shell, environment, directory)));
    }

    private static Attempts attempts(int retries, int lostRetries, @Nullable Duration timeout) {
        Attempts attempts = new Attempts(retries, lostRetries, timeout);
        return attempts.equals(Attempts.DEFAULTS) ? Attempts.DEFAULTS : attempts;
    }

    private Resources resources(JsonParser parser) {
        require(parser.currentToken() == JsonToken.START_OBJECT);
        StringBuilder written = new StringBuilder();
        List<String> types = new ArrayList<>(4);
        List<String> quantities = new ArrayList<>(4);
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String type = parser.currentName();
            JsonToken token = parser.nextToken();
            require(token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT);
            types.add(type);
            quantities.add(parser.getString());
            written.append(type).append('\0').append(parser.getString()).append('\0');
        }
        return shared.resources(written.toString(), () -> resources(types, quantities));
    }

    private static Resources resources(List<String> types, List<String> quantities) {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        for (int i = 0; i < types.size(); i++) {
            String type = ResourceTypes.canonicalName(types.get(i));
            require(isPlain(type)
                    && !type.equals(ResourceTypes.SLOTS)
                    && !quantities.get(i).isEmpty()
                    && amounts.put(type, Quantity.parse(type, quantities.get(i))) == null);
        }
        return Resources.of(amounts);
    }

    private List<String> names(JsonParser parser) {
        require(parser.currentToken() == JsonToken.START_ARRAY);
        List<String> names = new ArrayList<>();
        while (parser.nextToken() == JsonToken.VALUE_STRING) {
            names.add(plain(parser.getString()));
        }
        require(parser.currentToken() == JsonToken.END_ARRAY);
        return names;
    }

    private SortedMap<String, String> texts(JsonParser parser) {
        require(parser.currentToken() == JsonToken.START_OBJECT);
        SortedMap<String, String> texts = new TreeMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = plain(parser.currentName());
            parser.nextToken();
            require(texts.put(key, plain(text(parser))) == null);
        }
        return texts;
    }

    private static boolean flag(JsonParser parser) {
        require(parser.currentToken() == JsonToken.VALUE_TRUE || parser.currentToken() == JsonToken.VALUE_FALSE);
        return parser.currentToken() == JsonToken.VALUE_TRUE;
    }

    private static int number(JsonParser parser, int min, int max) {
        require(parser.currentToken() == JsonToken.VALUE_NUMBER_INT);
        int number = parser.getIntValue();
        require(number >= min && number <= max);
        return number;
    }

    private static String text(JsonParser parser) {
        require(parser.currentToken() == JsonToken.VALUE_STRING);
        return parser.getString();
    }

    private String name(JsonParser parser) {
        return plain(text(parser));
    }

    /** Returns a name without interning it; falls back unless it is printable ASCII. */
    private static String unique(JsonParser parser) {
        String name = text(parser);
        require(isPlain(name));
        return name;
    }

    /** Interns a text; falls back unless it is printable ASCII. */
    private String plain(String text) {
        require(isPlain(text));
        return shared.text(text);
    }

    private static boolean isPlain(String text) {
        if (text.isEmpty() || text.length() > TaskSpec.NAME_LENGTH_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                return false;
            }
        }
        return true;
    }

    private static void require(boolean usual) {
        if (!usual) {
            throw new FastPathMiss();
        }
    }
}
