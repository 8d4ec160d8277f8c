/**
 * Files that are given to the program: {@link dev.sluice.cli.source.SourceFile} is one of them, or standard input,
 * {@link dev.sluice.cli.source.FileKind} tells what it holds, and {@link dev.sluice.cli.source.ProblemPrinter} shows what is wrong
 * with it, where it is wrong; {@link dev.sluice.cli.source.FileProblem} says what is wrong with a file that cannot be used at all.
 */
package dev.sluice.cli.source;
