package dev.sluice.config.yaml;

/** A value in a document, with its position. */
public sealed interface YamlValue permits YamlScalar, YamlList, YamlMap {

    /** The line, from 1. */
    int line();

    /** The column, from 1, in characters. */
    int column();

    /** Returns what it is, as an error message says it: {@code a list}. */
    String kind();
}
