package dev.sluice.config.notification;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads notification files. Secrets and addresses are not looked up. */
public final class NotificationReader {

    /** The keys of a notification file. */
    public static final Keys KEYS = NotificationKeys.FILE;

    /** The maximum number of targets. */
    public static final int TARGETS_MAX = 32;

    private static final int NAME_LENGTH_MAX = 256;

    private NotificationReader() {}

    /** Reads this file. */
    public static ParseResult<NotificationFile> read(Path file) {
        Problems problems = new Problems(file.toString());
        return problems.result(file(YamlReader.read(file, problems), problems));
    }

    /** Reads this text; the file name is used in messages. */
    public static ParseResult<NotificationFile> read(String fileName, String text) {
        Problems problems = new Problems(fileName);
        return problems.result(file(YamlReader.read(text, problems), problems));
    }

    private static @Nullable NotificationFile file(@Nullable YamlValue document, Problems problems) {
        Section section = document == null
                ? null
                : Field.root(document, problems, ReferencePage.NOTIFICATIONS).asSection("a notification file", KEYS);
        if (section == null) {
            return null;
        }
        Field list = section.require("targets", "no targets: add targets: with a list");
        if (list == null) {
            return null;
        }
        List<Field> fields = list.asList("targets");
        if (list.isList() && (fields.isEmpty() || fields.size() > TARGETS_MAX)) {
            list.problem("1 to " + TARGETS_MAX + " targets are required, not " + fields.size());
        }
        Field thresholdList = section.get("thresholds");
        List<QueueThreshold> thresholds = new ArrayList<>();
        if (thresholdList != null) {
            for (Field field : thresholdList.asList("thresholds")) {
                QueueThreshold threshold = threshold(field);
                if (threshold != null) {
                    thresholds.add(threshold);
                }
            }
        }
        List<NotificationTarget> targets = new ArrayList<>();
        Map<String, Field> names = new HashMap<>();
        for (Field field : fields) {
            NotificationTarget target = target(field, names, thresholdList != null);
            if (target != null) {
                targets.add(target);
            }
        }
        if (thresholdList != null
                && targets.size() == fields.size()
                && targets.stream().noneMatch(target -> target.kinds().contains(NotificationKind.QUEUE_THRESHOLD))) {
            thresholdList.keyWarning(
                    "thresholds have no effect: no target is notified on queue-threshold; add it to a target");
        }
        return new NotificationFile(targets, thresholds);
    }

    private static @Nullable NotificationTarget target(Field field, Map<String, Field> names, boolean hasThresholds) {
        Section section = field.asSection("a target", NotificationKeys.TARGET);
        if (section == null) {
            return null;
        }
        int problems = field.problemCount();
        Field nameField = section.require("name", "a target needs a name: add name:");
        String name = nameField == null ? null : nameField.asName("the name of a target", NAME_LENGTH_MAX);
        Field first = nameField == null || name == null ? null : names.putIfAbsent(name, nameField);
        if (nameField != null && first != null) {
            nameField.problem("duplicate target " + Field.quoted(String.valueOf(name)) + ": first in line "
                    + first.line() + "; rename one of them");
        }
        Field webhook = section.get("webhook");
        Field command = section.get("command");
        if ((webhook == null) == (command == null)) {
            field.problem(
                    webhook == null
                            ? "a target needs a webhook or a command: add webhook: {url: …} or command:"
                            : "a target has either a webhook or a command: make two targets of it");
        }
        Webhook hook = webhook == null ? null : webhook(webhook);
        List<String> words = command == null ? List.of() : command(command);
        Set<NotificationKind> kinds = kinds(section, hasThresholds);
        NotificationFilter filter = new NotificationFilter(
                texts(section, "queues").stream()
                        .map(path -> path.toLowerCase(Locale.ROOT))
                        .toList(),
                texts(section, "users"),
                texts(section, "applications"));
        if (kinds.equals(EnumSet.of(NotificationKind.QUEUE_THRESHOLD))) {
            for (String key : List.of("users", "applications")) {
                Field unused = section.get(key);
                if (unused != null) {
                    unused.keyWarning(key + " has no effect on queue-threshold: remove it");
                }
            }
        }
        Duration timeout = section.read("timeout", NotificationTarget.TIMEOUT_DEFAULT, NotificationReader::timeout);
        Duration giveUp = section.read("giveup", NotificationTarget.GIVE_UP_DEFAULT, Field::asDuration);
        int concurrency = Math.toIntExact(
                section.read("concurrency", 1L, value -> value.asLong(1, NotificationTarget.CONCURRENCY_MAX)));
        return name == null || field.problemCount() > problems
                ? null
                : new NotificationTarget(name, hook, words, kinds, filter, timeout, giveUp, concurrency);
    }

    private static Set<NotificationKind> kinds(Section section, boolean hasThresholds) {
        Field on = section.get("on");
        if (on == null) {
            return EnumSet.allOf(NotificationKind.class);
        }
        Set<NotificationKind> kinds = EnumSet.noneOf(NotificationKind.class);
        for (Field item : on.asList("words")) {
            NotificationKind kind = item.asEnum("notification", NotificationKind.BY_NAME);
            if (kind != null && !kinds.add(kind)) {
                item.problem("duplicate notification " + kind.wireName() + ": remove one of them");
            }
            if (kind == NotificationKind.QUEUE_THRESHOLD && !hasThresholds) {
                item.warning("queue-threshold has no effect: the file has no thresholds; add thresholds:");
            }
        }
        if (on.isList() && on.size() == 0) {
            on.problem("at least one notification is required, such as application-failed; without on, it is"
                    + " everything");
        }
        return kinds;
    }

    private static List<String> texts(Section section, String key) {
        Field field = section.get(key);
        if (field == null) {
            return List.of();
        }
        if (field.isList() && field.size() == 0) {
            field.problem("an empty list matches nothing: remove " + key + " or add one");
        }
        return field.asTexts(key, item -> item.asName("an item of " + key, NAME_LENGTH_MAX * 4));
    }

    private static @Nullable Duration timeout(Field field) {
        Duration timeout = field.asDuration();
        if (timeout != null
                && (timeout.compareTo(Duration.ofMillis(1)) < 0
                        || timeout.compareTo(NotificationTarget.TIMEOUT_MAX) > 0)) {
            field.problem("the timeout must be from 1ms to 10m");
            return null;
        }
        return timeout;
    }

    private static List<String> command(Field field) {
        if (field.isList()) {
            List<String> words = field.asTexts("words", NotificationReader::word);
            if (field.size() == 0
                    || (words.size() == field.size() && words.get(0).isEmpty())) {
                field.problem("this command is empty: write a program and its arguments");
            }
            return words;
        }
        String line = word(field);
        if (line != null && line.isBlank()) {
            field.problem("this command is empty: write a line for sh -c, or a list");
        }
        return line == null ? List.of() : List.of("/bin/sh", "-c", line);
    }

    private static @Nullable String word(Field field) {
        String word = field.asText();
        if (word != null && word.indexOf('\0') >= 0) {
            field.problem("a command must not contain the character U+0000");
            return null;
        }
        return word;
    }

    private static @Nullable Webhook webhook(Field field) {
        Section section = field.asSection("a webhook", NotificationKeys.WEBHOOK);
        if (section == null) {
            return null;
        }
        Field url = section.require("url", "a webhook needs an address: add url:");
        boolean isSecret = url != null && url.isMap();
        return new Webhook(
                url == null || isSecret ? null : WebhookAddress.read(url),
                url == null || !isSecret ? null : secret(url),
                section.readOrNull("secret", NotificationReader::secret),
                section.readOrNull("authorization", NotificationReader::secret));
    }

    private static @Nullable SecretSource secret(Field field) {
        if (!field.isMap()) {
            field.problem("secrets do not belong in this file: write {file: PATH} or {env: NAME}");
            return null;
        }
        Section section = field.asSection("a secret", NotificationKeys.SECRET);
        if (section == null) {
            return null;
        }
        String file = section.readOrNull("file", value -> value.asName("a path", NAME_LENGTH_MAX * 16));
        String variable = section.readOrNull("env", value -> value.asName("a variable", NAME_LENGTH_MAX));
        if ((section.get("file") == null) == (section.get("env") == null)) {
            field.problem("a secret is read from a file or a variable: write {file: PATH} or {env: NAME}");
            return null;
        }
        return file == null && variable == null ? null : new SecretSource(file, variable);
    }

    private static @Nullable QueueThreshold threshold(Field field) {
        Section section = field.asSection("a threshold", NotificationKeys.THRESHOLD);
        if (section == null) {
            return null;
        }
        Field queueField = section.require("queue", "a threshold needs a queue: add queue:");
        String queue = queueField == null ? null : queueField.asName("the path of a queue", NAME_LENGTH_MAX * 4);
        String partition = section.read(
                "partition",
                PartitionConfiguration.DEFAULT_NAME,
                value -> value.asName("the name of a partition", NAME_LENGTH_MAX));
        Long pending = section.readOrNull("pending", value -> value.asLong(0, Long.MAX_VALUE));
        Long used = section.readOrNull("used", value -> value.asLong(0, 99));
        Duration duration = section.read("for", Duration.ZERO, Field::asDuration);
        if ((section.get("pending") == null) == (section.get("used") == null)) {
            field.problem("a threshold has either pending or used: write one of them");
            return null;
        }
        return queue == null || (pending == null && used == null)
                ? null
                : new QueueThreshold(
                        partition,
                        queue.toLowerCase(Locale.ROOT),
                        pending,
                        used == null ? null : Math.toIntExact(used),
                        duration);
    }
}
