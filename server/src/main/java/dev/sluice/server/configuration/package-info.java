/**
 * The configuration while the server runs. {@link dev.sluice.server.configuration.Configurations} knows which one holds and numbers those that
 * held; {@link dev.sluice.server.configuration.ConfigurationChanges} tells what is different between two, in sentences and as a diff.
 */
package dev.sluice.server.configuration;
