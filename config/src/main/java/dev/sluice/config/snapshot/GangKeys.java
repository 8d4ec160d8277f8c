package dev.sluice.config.snapshot;

import static dev.sluice.config.field.KeyType.DURATION;
import static dev.sluice.config.field.KeyType.FLAG;
import static dev.sluice.config.field.KeyType.TEXT;
import static dev.sluice.config.field.KeyType.map;
import static dev.sluice.config.field.KeyType.section;
import static dev.sluice.config.field.KeyType.whole;
import static dev.sluice.config.field.ReferencePage.JOB_FILE;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.Keys;
import dev.sluice.core.application.Gang;

/** The keys of a gang, with their documentation. */
final class GangKeys {

    static final Keys TOPOLOGY = Keys.of(
            "gang topology",
            JOB_FILE,
            Key.of(
                            "key",
                            TEXT,
                            "The widest level: one of the labels that `topology` of the partition lists. The narrowest domain"
                                    + " that holds all members is chosen.")
                    .isRequired()
                    .eg("rack"),
            Key.of(
                            "require",
                            FLAG,
                            "Whether the gang starts only inside one domain of this level; otherwise anywhere if none"
                                    + " holds it.")
                    .or("true")
                    .eg("false"));

    static final Keys GANG = Keys.of(
            "gang",
            JOB_FILE,
            Key.of(
                            "tasks",
                            map("task ids", whole(1, Gang.MEMBERS_MAX)),
                            "How many tasks of each id must start together. Further ones start when they fit.")
                    .isRequired()
                    .eg("{worker: 8, driver: 1}"),
            Key.of(
                            "style",
                            FileKeys.names(Gang.Style.values(), Gang.Style::wireName),
                            "What happens after `timeout`: the tasks start one by one (`soft`), or the application fails"
                                    + " (`hard`).")
                    .or("soft")
                    .eg("hard"),
            Key.of("timeout", DURATION, "How long the tasks may be pending before that; more than 0.")
                    .or("15m")
                    .eg("1h"),
            Key.of(
                            "onloss",
                            FileKeys.names(Gang.OnLoss.values(), Gang.OnLoss::wireName),
                            "What happens when a task ends and runs again, so that fewer run than `tasks` says: only that one"
                                    + " runs again (`continue`), or all stop and start together again (`restart`).")
                    .or("continue")
                    .eg("restart"),
            Key.of("topology", section(TOPOLOGY), "Starts all members in one topology domain, such as a rack.")
                    .eg("{key: rack}"));

    private GangKeys() {}
}
