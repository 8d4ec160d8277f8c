package dev.sluice.cli.terminal;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** When to use colors. */
public enum ColorChoice {
    /** On a terminal with colors, unless NO_COLOR is set (no-color.org). */
    AUTO,
    ALWAYS,
    NEVER;

    /** Whether to use colors on a stream. */
    public boolean isOn(boolean terminal) {
        return switch (this) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO -> terminal && isUnset(System.getenv("NO_COLOR")) && !"dumb".equals(System.getenv("TERM"));
        };
    }

    private static boolean isUnset(@Nullable String variable) {
        return variable == null || variable.isEmpty();
    }

    /** Names of the choices, for help and completion. */
    public static final class ColorNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("auto", "always", "never").iterator();
        }
    }

    /** Parses a choice. */
    public static final class ColorConverter implements ITypeConverter<ColorChoice> {
        @Override
        public ColorChoice convert(String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "auto" -> AUTO;
                case "always" -> ALWAYS;
                case "never" -> NEVER;
                default -> throw new TypeConversionException("expected auto, always or never, not '" + word + "'");
            };
        }
    }
}
