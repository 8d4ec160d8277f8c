/**
 * Files that are given to the program: {@link dev.sluice.cli.source.SourceFile} is one of them, or standard input,
 * {@link dev.sluice.cli.source.FileKind} tells what it holds, and {@link dev.sluice.cli.source.ProblemPrinter} shows what is wrong
 * with it, where it is wrong.
 */
package dev.sluice.cli.source;
