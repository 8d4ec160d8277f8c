/**
 * Documents as trees of values, each with line and column.
 *
 * <p>{@link dev.sluice.config.yaml.YamlReader} reads YAML or JSON into a {@link dev.sluice.config.yaml.YamlValue}: a
 * {@link dev.sluice.config.yaml.YamlMap}, a {@link dev.sluice.config.yaml.YamlList} or a
 * {@link dev.sluice.config.yaml.YamlScalar}. {@code JsonReader} reads valid JSON, about ten times as fast; a YAML
 * parser reads everything else and explains what is wrong. Equal texts are shared
 * ({@link dev.sluice.config.yaml.TextInterner}). A duplicate key is a problem.
 * An alias shares the value it refers to and counts as if it were written out;
 * {@link dev.sluice.config.yaml.YamlLimits} bounds size and depth.
 *
 * <p>The tree is built from the parser's events instead of the parser's own tree: without recursion no text can exhaust
 * the stack, and only one tree is kept in memory.
 *
 * <p>The tree does not depend on what the document is about: that is for {@link dev.sluice.config.field} and the
 * packages that use it.
 */
package dev.sluice.config.yaml;
