/**
 * Writing for people: {@link dev.sluice.cli.terminal.Style} emphasises where {@link dev.sluice.cli.terminal.ColorChoice} allows
 * it, {@link dev.sluice.cli.terminal.TextTable} aligns columns by {@link dev.sluice.cli.terminal.TextWidth}, and
 * {@link dev.sluice.cli.terminal.LiveLines} keeps some lines at the bottom of a terminal up to date.
 */
package dev.sluice.cli.terminal;
