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
    JSON;

    /** The words for {@code -o}, for help and completion. */
    static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("table", "json").iterator();
        }
    }

    /** Reads the word after {@code -o}. */
    static final class Converter implements ITypeConverter<OutputFormat> {
        @Override
        public OutputFormat convert(String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "table" -> TABLE;
                case "json" -> JSON;
                default -> throw new TypeConversionException("expected table or json, not '" + word + "'");
            };
        }
    }
}
