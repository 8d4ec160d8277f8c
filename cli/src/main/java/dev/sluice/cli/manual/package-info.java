/**
 * The manual, generated from picocli's model: {@link dev.sluice.cli.manual.CommandManual} is the manual of one command,
 * {@link dev.sluice.cli.manual.ManPage} renders it as a man page.
 */
package dev.sluice.cli.manual;
