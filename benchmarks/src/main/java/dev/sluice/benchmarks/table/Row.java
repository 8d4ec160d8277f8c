package dev.sluice.benchmarks.table;

import java.util.List;

/** Something that is measured for the table: a row, of one figure or of several that belong together. */
interface Row {

    /** The word that selects it. */
    String name();

    /** What it is about, in a few words. */
    String title();

    /** What is measured, and how, in a sentence or two. */
    String about();

    /** Measures. */
    List<Line> measure();
}
