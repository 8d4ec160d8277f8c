/**
 * Documents as trees of values, each with line and column.
 *
 * <p>{@link dev.sluice.config.yaml.YamlReader} reads YAML, and JSON, which is YAML as well, into a
 * {@link dev.sluice.config.yaml.YamlValue}: a {@link dev.sluice.config.yaml.YamlMap}, a {@link dev.sluice.config.yaml.YamlList}
 * or a {@link dev.sluice.config.yaml.YamlScalar}. A key that is there twice is a problem. An alias shares what it stands for and
 * counts as if it were written out; {@link dev.sluice.config.yaml.YamlLimits} bounds size and depth.
 *
 * <p>The tree is made from the parser's events rather than from its own tree: nothing recurses, so that no text can exhaust
 * the stack, and only one tree is kept.
 *
 * <p>The tree knows nothing of what the document is about: that is for {@link dev.sluice.config.field} and the packages that
 * use it.
 */
package dev.sluice.config.yaml;
