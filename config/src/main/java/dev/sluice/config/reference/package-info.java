/**
 * References and JSON schemas, made from the keys by which files are read.
 *
 * <p>A {@link dev.sluice.config.reference.FileFormat} is a kind of file with its {@link dev.sluice.config.field.Keys}.
 * {@link dev.sluice.config.reference.JsonSchema} writes its JSON Schema, and
 * {@link dev.sluice.config.reference.ReferenceTables} the tables of its reference page: one for each section, with key,
 * type, default, meaning and example.
 *
 * <p>A schema accepts every file that the reader accepts, apart from two exceptions: it refuses words of YAML 1.1 for
 * truth values ({@code yes}, {@code on}), and keys that have no effect in its kind of file. It does not check what
 * concerns several keys at once, such as the sum of quotas; {@code sluice validate} does.
 */
package dev.sluice.config.reference;
