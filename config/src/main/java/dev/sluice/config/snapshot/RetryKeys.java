package dev.sluice.config.snapshot;

import static dev.sluice.config.field.KeyType.DURATION;
import static dev.sluice.config.field.KeyType.INSTANT;
import static dev.sluice.config.field.KeyType.NUMBER;
import static dev.sluice.config.field.KeyType.list;
import static dev.sluice.config.field.KeyType.whole;
import static dev.sluice.config.field.ReferencePage.JOB_FILE;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskSpec;

/** The keys of retries and of their delays, with their documentation. */
final class RetryKeys {

    static final Keys RETRIES = Keys.of(
            "retries",
            JOB_FILE,
            Key.of("times", whole(1, Integer.MAX_VALUE), "How many times the task runs again after it failed.")
                    .isRequired()
                    .eg("3"),
            Key.of("delay", DURATION, "The time between a failure and the first retry, at most 24h.")
                    .or("`0s`")
                    .eg("30s"),
            Key.of(
                            "backoff",
                            NUMBER,
                            "The factor by which the delay grows with each retry, from 1 to " + Retries.BACKOFF_MAX
                                    + "; it grows up to 24h.")
                    .or("1")
                    .eg("2"),
            Key.of(
                            "exitcodes",
                            list(whole(1, Retries.EXIT_CODE_MAX)),
                            "The exit codes after which the task runs again; after others, or a timeout, it has failed.")
                    .or("every failure")
                    .eg("[75]"));

    static final Keys DELAY = Keys.of(
            "delay",
            ReferencePage.SNAPSHOT,
            Key.of("index", whole(0, TaskSpec.COUNT_MAX - 1L), "The index of the task, from 0.")
                    .or("0")
                    .eg("3"),
            Key.of("until", INSTANT, "When its next run may start.")
                    .isRequired()
                    .eg("2026-01-01T12:00:30Z"));

    private RetryKeys() {}
}
