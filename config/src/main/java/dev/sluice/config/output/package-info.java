/**
 * Prints values as YAML and JSON.
 *
 * <p>A writer builds an {@link dev.sluice.config.output.Output}; {@link dev.sluice.config.output.YamlPrinter} and
 * {@link dev.sluice.config.output.JsonPrinter} print it. Both keep the order of insertion, so that equal values give
 * equal text. {@code dev.sluice.config.yaml} reads both back as equal values: text that looks like a number is quoted,
 * control characters are escaped ({@link dev.sluice.config.output.JsonString}, which other writers of JSON use, too).
 *
 * <p>YAML is printed for people: a task or a node takes one line.
 */
package dev.sluice.config.output;
