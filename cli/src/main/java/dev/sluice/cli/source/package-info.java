/**
 * Input files: {@link dev.sluice.cli.source.SourceFile} is a file or standard input,
 * {@link dev.sluice.cli.source.FileKind} infers its type, {@link dev.sluice.cli.source.ProblemPrinter} prints errors
 * with the lines that they refer to, and {@link dev.sluice.cli.source.FileProblem} explains I/O errors.
 */
package dev.sluice.cli.source;
