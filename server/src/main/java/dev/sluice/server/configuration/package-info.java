/**
 * The configuration of a running server. {@link dev.sluice.server.configuration.Configurations} holds the current one
 * and numbers the revisions; {@link dev.sluice.server.configuration.ConfigurationChanges} describes the differences
 * between two, in sentences and as a diff.
 */
package dev.sluice.server.configuration;
