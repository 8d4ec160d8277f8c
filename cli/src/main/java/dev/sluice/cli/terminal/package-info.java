/**
 * Terminal output: {@link dev.sluice.cli.terminal.Style} emphasizes text if {@link dev.sluice.cli.terminal.ColorChoice}
 * allows it, {@link dev.sluice.cli.terminal.TextTable} aligns columns by {@link dev.sluice.cli.terminal.TextWidth}, and
 * {@link dev.sluice.cli.terminal.LiveLines} redraws lines at the bottom of a terminal.
 */
package dev.sluice.cli.terminal;
