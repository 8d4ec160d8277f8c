package dev.sluice.benchmarks.table;

import java.util.List;

/** A row of the table: a measurement of one figure or several related ones. */
interface Row {

    /** The name that selects the row. */
    String name();

    /** A title of a few words. */
    String title();

    /** What is measured, and how, in a few sentences. */
    String about();

    List<Line> measure();
}
