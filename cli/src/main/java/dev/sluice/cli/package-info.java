/**
 * The program {@code sluice}: {@link dev.sluice.cli.Sluice} is where it begins; every command is a class of its own.
 */
package dev.sluice.cli;
