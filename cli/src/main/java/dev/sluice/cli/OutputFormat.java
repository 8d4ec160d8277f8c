package dev.sluice.cli;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Output format of a result. */
enum OutputFormat {
    TABLE,

    JSON,

    YAML;

    /** Names of the formats of local results, for help and completion. */
    static final class FormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("table", "json").iterator();
        }
    }

    /** Names of the formats of server responses. */
    static final class AnswerFormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("table", "json", "yaml").iterator();
        }
    }

    /** Parses a format of local results. */
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

    /** Parses a format of server responses. */
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
