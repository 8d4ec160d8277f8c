/**
 * Writes values as YAML and as JSON.
 *
 * <p>A writer builds an {@link dev.sluice.config.output.Output}; {@link dev.sluice.config.output.YamlPrinter} and
 * {@link dev.sluice.config.output.JsonPrinter} print it. Both keep the order in which entries were put, so that the same value
 * always gives the same text, and what both print is read back as the same value by {@code dev.sluice.config.yaml}: a text that
 * looks like a number is quoted, control characters are escaped.
 *
 * <p>YAML is printed for people: a task or a node takes a line, as somebody would have written it.
 */
package dev.sluice.config.output;
