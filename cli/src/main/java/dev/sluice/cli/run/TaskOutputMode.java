package dev.sluice.cli.run;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the output of tasks is shown during a run. */
public enum TaskOutputMode {
    /** Per run of a task, when it has ended. */
    GROUP,
    /** Line by line, after the names of application and task. */
    PREFIX,
    NONE;

    /** Names of the modes, for help and completion. */
    public static final class ModeNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("group", "prefix", "none").iterator();
        }
    }

    /** Parses a mode. */
    public static final class ModeConverter implements ITypeConverter<TaskOutputMode> {
        @Override
        public TaskOutputMode convert(String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "group" -> GROUP;
                case "prefix" -> PREFIX;
                case "none" -> NONE;
                default -> throw new TypeConversionException("expected group, prefix or none, not '" + word + "'");
            };
        }
    }
}
