package dev.sluice.config.notification;

import static dev.sluice.config.field.KeyType.DURATION;
import static dev.sluice.config.field.KeyType.NAME;
import static dev.sluice.config.field.KeyType.TEXT;
import static dev.sluice.config.field.KeyType.anyOf;
import static dev.sluice.config.field.KeyType.list;
import static dev.sluice.config.field.KeyType.section;
import static dev.sluice.config.field.KeyType.sections;
import static dev.sluice.config.field.KeyType.whole;
import static dev.sluice.config.field.KeyType.words;
import static dev.sluice.config.field.ReferencePage.NOTIFICATIONS;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;

/** The keys of notification files, with their documentation. */
final class NotificationKeys {

    private static final KeyType PATH = new KeyType.Text(false, 1, 4096);

    static final Keys SECRET = Keys.of(
            "secret",
            NOTIFICATIONS,
            Key.of("file", PATH, "The file that contains it; a final line break is ignored.")
                    .eg("/run/secrets/hook"),
            Key.of("env", NAME, "The environment variable of the server that contains it.")
                    .eg("HOOK_SECRET"));

    static final Keys WEBHOOK = Keys.of(
            "webhook",
            NOTIFICATIONS,
            Key.of(
                            "url",
                            anyOf(TEXT, section(SECRET)),
                            "The `http` or `https` address, or where it is read from if it is secret.")
                    .isRequired()
                    .eg("https://hooks.example.com/sluice"),
            Key.of("secret", section(SECRET), "Where the key of the [signature](#signature) is read from.")
                    .or("no signature")
                    .eg("{env: HOOK_SECRET}"),
            Key.of(
                            "authorization",
                            section(SECRET),
                            "Where the value of the header `Authorization` is read from, such as `Bearer` and a token.")
                    .or("no such header")
                    .eg("{file: /run/secrets/token}"));

    static final Keys TARGET = Keys.of(
            "target",
            NOTIFICATIONS,
            Key.of("name", NAME, "The name, unique in the file. What waits for a target waits under its name.")
                    .isRequired()
                    .eg("chat"),
            Key.of("webhook", section(WEBHOOK), "Where requests are sent. Either this or `command` is needed.")
                    .eg("{url: https://hooks.example.com/sluice}"),
            Key.of(
                            "command",
                            anyOf(TEXT, list(TEXT)),
                            "What is executed: a line for `sh -c`, or a list of a program and its arguments.")
                    .eg("[/usr/local/bin/page, --team, web]"),
            Key.of("on", list(words(NotificationKind.BY_NAME.keySet())), "What it is notified of.")
                    .or("everything")
                    .eg("[application-failed]"),
            Key.of("queues", list(TEXT), "The paths of queues; each includes all queues below it.")
                    .or("all queues")
                    .eg("[root.web]"),
            Key.of("users", list(NAME), "Who submitted the application; `*` stands for any characters.")
                    .or("all users")
                    .eg("[ada]"),
            Key.of("applications", list(NAME), "The names of applications; `*` stands for any characters.")
                    .or("all applications")
                    .eg("['nightly-*']"),
            Key.of("timeout", DURATION, "The time limit of a request or a command, up to 10m.")
                    .or(DurationText.format(NotificationTarget.TIMEOUT_DEFAULT))
                    .eg("30s"),
            Key.of(
                            "giveup",
                            DURATION,
                            "How long a notification is retried. After that it is dropped when its next attempt fails.")
                    .or(DurationText.format(NotificationTarget.GIVE_UP_DEFAULT))
                    .eg("2h"),
            Key.of(
                            "concurrency",
                            whole(1, NotificationTarget.CONCURRENCY_MAX),
                            "The maximum number of requests or commands at a time. With 1, notifications arrive in"
                                    + " order unless one is retried.")
                    .or("1")
                    .eg("4"));

    static final Keys THRESHOLD = Keys.of(
            "threshold",
            NOTIFICATIONS,
            Key.of("queue", TEXT, "The path of the queue.").isRequired().eg("root.web"),
            Key.of("partition", NAME, "The partition.").or("default").eg("gpu"),
            Key.of(
                            "pending",
                            whole(0, Long.MAX_VALUE),
                            "The number of pending tasks, in the queue and all queues below it, that must be exceeded."
                                    + " Either this or `used` is needed.")
                    .eg("1000"),
            Key.of(
                            "used",
                            whole(0, 99),
                            "The used share that must be exceeded, in percent: the largest of allocated ÷ maximum of a"
                                    + " resource, or ÷ the total of the partition if the queue has no maximum.")
                    .eg("90"),
            Key.of("for", DURATION, "How long it must be exceeded.").or("0s").eg("10m"));

    static final Keys FILE = Keys.of(
            "notification file",
            NOTIFICATIONS,
            Key.of("targets", sections(TARGET), "Who is notified; 1 to 32.")
                    .isRequired()
                    .eg("[{name: chat, command: notify-send}]"),
            Key.of("thresholds", sections(THRESHOLD), "The thresholds of queues.")
                    .or("none")
                    .eg("[{queue: root.web, pending: 1000, for: 10m}]"));

    private NotificationKeys() {}
}
