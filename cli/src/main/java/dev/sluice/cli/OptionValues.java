package dev.sluice.cli;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.field.StartTimeText;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.QuantityException;
import dev.sluice.server.route.Role;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** Parses and validates the values of options and parameters for all commands. */
final class OptionValues {

    /** Labels of free-text values, which may be empty. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("TEXT");

    private OptionValues() {}

    /** Registers converters whose errors do not mention Java types, for this command and its subcommands. */
    static void register(CommandLine commands) {
        ITypeConverter<Integer> integers = text -> (int) wholeNumber(text, Integer.MAX_VALUE);
        ITypeConverter<Long> longs = text -> wholeNumber(text, Long.MAX_VALUE);
        commands.registerConverter(Integer.class, integers).registerConverter(int.class, integers);
        commands.registerConverter(Long.class, longs).registerConverter(long.class, longs);
        commands.registerConverter(double.class, OptionValues::number);
        commands.registerConverter(Duration.class, OptionValues::duration);
        commands.registerConverter(Role.class, OptionValues::role);
        commands.registerConverter(Instant.class, OptionValues::startTime);
    }

    private static long wholeNumber(String text, long max) {
        if (!text.matches("[+-]?[0-9]+")) {
            throw new TypeConversionException("\"" + text + "\" is not a whole number");
        }
        try {
            long number = Long.parseLong(text);
            if (number >= -max && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw outOfRange(text, max);
        }
        throw outOfRange(text, max);
    }

    private static TypeConversionException outOfRange(String text, long max) {
        return new TypeConversionException("\"" + text + "\" is out of range: the maximum is " + max);
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("\"" + text + "\" is not a number");
        }
    }

    private static Duration duration(String text) {
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    private static Role role(String text) {
        Role role = Role.of(text.toLowerCase(Locale.ROOT));
        if (role == null || role == Role.ANYONE) {
            throw new TypeConversionException(
                    "expected viewer, submitter, agent, operator or admin, not '" + text + "'");
        }
        return role;
    }

    private static Instant startTime(String text) {
        try {
            return StartTimeText.parse(text, Instant.now(), ZoneId.systemDefault());
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** Throws {@link UserException} unless the value of an option is one of these names, or was not given. */
    static void requireOneOf(List<String> names, String option, @Nullable String value) {
        if (value != null && !names.contains(value)) {
            throw new UserException(option + ": expected one of " + String.join(", ", names) + ", not '" + value + "'");
        }
    }

    /** Throws if a value on the command line is empty and must not be, such as a file name. */
    static void requireNotEmpty(ParseResult parsed) {
        for (ArgSpec argument : parsed.matchedArgs()) {
            boolean isWord = argument.isPositional() && parsed.originalArgs().contains(CommandOptions.END_OF_OPTIONS);
            if (!isWord
                    && !MAY_BE_EMPTY.contains(argument.paramLabel())
                    && argument.originalStringValues().stream().anyMatch(String::isBlank)) {
                throw new ParameterException(
                        parsed.commandSpec().commandLine(), name(argument) + " must not be empty", argument, "");
            }
        }
        if (parsed.hasSubcommand()) {
            requireNotEmpty(parsed.subcommand());
        }
    }

    private static String name(ArgSpec argument) {
        return argument instanceof CommandLine.Model.OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    /** Throws a {@link UserException} unless this is an amount of a resource type. */
    static void requireQuantity(String option, String type, String text) {
        try {
            Quantity.parse(type, text);
        } catch (QuantityException e) {
            throw new UserException(option + ": " + e.getMessage());
        }
    }

    /** Throws if the value of an option is less than the minimum; null means that the option is absent. */
    static void requireAtLeast(long min, String option, @Nullable Number value) {
        if (value != null && value.longValue() < min) {
            throw new UserException(option + " must be " + min + " or greater, not " + value);
        }
    }
}
