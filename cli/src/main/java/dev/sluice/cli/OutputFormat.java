package dev.sluice.cli;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How a result is written. */
enum OutputFormat {
    /** For people. */
    TABLE,

    /** For programs. */
    JSON,

    /** For programs, and for people who want all of it. */
    YAML;

    /** The words for {@code -o}, for help and completion. */
    static final class FormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("table", "json").iterator();
        }
    }

    /** The words for {@code -o} of what servers answer. */
    static final class AnswerFormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("table", "json", "yaml").iterator();
        }
    }

    /** Reads the word after {@code -o}. */
    static final class FormatConverter implements ITypeConverter<OutputFormat> {
        @Override
        public OutputFormat convert(String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "table" -> TABLE;
                case "json" -> JSON;
                default -> throw new TypeConversionException("expected table or json, not '" + word + "'");
            };
        }
    }

    /** Reads the word after {@code -o} of what servers answer. */
    static final class AnswerFormatConverter implements ITypeConverter<OutputFormat> {
        @Override
        public OutputFormat convert(String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "table" -> TABLE;
                case "json" -> JSON;
                case "yaml" -> YAML;
                default -> throw new TypeConversionException("expected table, json or yaml, not '" + word + "'");
            };
        }
    }
}
