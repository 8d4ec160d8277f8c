package dev.sluice.core.resource;

import java.math.BigDecimal;

/**
 * Parses and formats amounts: {@code 500m} and {@code 2} for cores, {@code 512M} and {@code 2Gi} for memory and other
 * types.
 *
 * <p>A quantity is a number and an optional unit: {@code k M G T P E} are powers of 1000, {@code Ki Mi Gi Ti Pi Ei}
 * powers of 1024, and {@code m}, only for {@code vcore}, is a thousandth. Decimals are valid if the amount is whole in
 * base units: {@code 0.5} cores, {@code 1.5Gi}. White space is ignored, as in YuniKorn.
 */
public final class Quantity {

    private static final String[] DECIMAL_UNITS = {"E", "P", "T", "G", "M", "k"};
    private static final String[] BINARY_UNITS = {"Ei", "Pi", "Ti", "Gi", "Mi", "Ki"};
    private static final int LENGTH_MAX = 64;

    private Quantity() {}

    /**
     * Parses an amount of a resource type.
     *
     * @throws QuantityException if the text is not a quantity, is negative or exceeds a {@code long}; the message says
     *     what is wrong and how to fix it
     */
    public static Amount parse(String type, String text) {
        boolean cores = type.equals(ResourceTypes.VCORE);
        String compact = text.length() > LENGTH_MAX ? "" : withoutSpace(text);
        int end = endOfNumber(compact);
        if (compact.indexOf('.') >= 0) {
            return decimal(type, text, compact, cores);
        }
        if (end == 0 || !isWord(compact, end)) {
            throw notAQuantity(text, cores);
        }
        long number;
        try {
            number = Math.multiplyExact(
                    Long.parseLong(compact, 0, end, 10), multiplier(type, text, compact.substring(end), cores));
        } catch (QuantityException e) {
            throw e;
        } catch (NumberFormatException | ArithmeticException e) {
            throw tooLarge(text);
        }
        if (number < 0) {
            throw negative(text);
        }
        return new Amount(number);
    }

    /** Parses a number with decimals; rare, so not optimized. */
    private static Amount decimal(String type, String text, String compact, boolean cores) {
        int dot = compact.indexOf('.');
        int whole = endOfNumber(compact.substring(0, dot));
        boolean withoutWhole = dot == 0 || (dot == 1 && (compact.charAt(0) == '+' || compact.charAt(0) == '-'));
        String rest = compact.substring(dot + 1);
        int decimals = rest.startsWith("+") || rest.startsWith("-") ? 0 : endOfNumber(rest);
        if ((whole != dot && !withoutWhole) || decimals == 0 || !isWord(rest, decimals)) {
            throw notAQuantity(text, cores);
        }
        BigDecimal number = new BigDecimal(compact.substring(0, dot + 1 + decimals));
        BigDecimal amount;
        try {
            amount = number.multiply(BigDecimal.valueOf(multiplier(type, text, rest.substring(decimals), cores)));
        } catch (QuantityException e) {
            throw e;
        } catch (ArithmeticException e) {
            throw tooLarge(text);
        }
        if (amount.signum() < 0) {
            throw negative(text);
        }
        if (amount.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw tooLarge(text);
        }
        if (amount.remainder(BigDecimal.ONE).signum() != 0) {
            throw new QuantityException("\"" + text + "\" is "
                    + (cores
                            ? "finer than a thousandth of a core: write at most three decimals, such as 0.5 or 500m"
                            : "not a whole number of " + (type.equals(ResourceTypes.MEMORY) ? "bytes" : type)
                                    + ": write one, such as "
                                    + (type.equals(ResourceTypes.MEMORY) ? "512M or 1.5Gi" : "1 or 2k")));
        }
        return new Amount(amount.longValueExact());
    }

    private static QuantityException notAQuantity(String text, boolean cores) {
        return new QuantityException(
                "\"" + shortened(text) + "\" is not a quantity: write a number with an optional unit, "
                        + (cores ? "such as 2, 0.5 or 500m" : "such as 512M or 2Gi"));
    }

    private static QuantityException tooLarge(String text) {
        return new QuantityException("\"" + text + "\" is too large: maximum is " + Long.MAX_VALUE + " base units");
    }

    private static QuantityException negative(String text) {
        return new QuantityException("\"" + text + "\" is negative: must be 0 or greater");
    }

    // no regular expressions: every submitted task has a few quantities to parse

    private static String withoutSpace(String text) {
        StringBuilder rest = null;
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            boolean space = character == ' ' || (character >= '\t' && character <= '\r');
            if (space && rest == null) {
                rest = new StringBuilder(text.length()).append(text, 0, i);
            } else if (!space && rest != null) {
                rest.append(character);
            }
        }
        return rest == null ? text : rest.toString();
    }

    /** Returns the end of the signed number at the beginning; 0 if there is none. */
    private static int endOfNumber(String text) {
        int first = !text.isEmpty() && (text.charAt(0) == '+' || text.charAt(0) == '-') ? 1 : 0;
        int end = first;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end == first ? 0 : end;
    }

    /** Whether the rest of the text consists of ASCII letters. */
    private static boolean isWord(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            int letter = text.charAt(i) | 0x20; // lower case
            if (letter < 'a' || letter > 'z') {
                return false;
            }
        }
        return true;
    }

    /** Formats an amount in the largest unit that divides it, so that {@link #parse} returns the same amount. */
    public static String format(String type, Amount amount) {
        long value = amount.value();
        if (amount.isUnlimited()) {
            return "unlimited";
        }
        if (type.equals(ResourceTypes.VCORE)) {
            return value % 1000 == 0 ? Long.toString(value / 1000) : value + "m";
        }
        if (!type.equals(ResourceTypes.MEMORY) || value == 0) {
            return Long.toString(value);
        }
        String binary = inLargestUnit(value, BINARY_UNITS, 1024);
        String decimal = inLargestUnit(value, DECIMAL_UNITS, 1000);
        return decimal.length() < binary.length() ? decimal : binary;
    }

    private static String inLargestUnit(long value, String[] units, long step) {
        long size = 1;
        for (int i = 0; i < units.length; i++) {
            size *= step;
        }
        for (String unit : units) {
            if (value % size == 0) {
                return value / size + unit;
            }
            size /= step;
        }
        return Long.toString(value);
    }

    private static long multiplier(String type, String text, String unit, boolean cores) {
        long whole = cores ? 1000 : 1;
        if (unit.isEmpty()) {
            return whole;
        }
        if (unit.equals("m")) {
            if (cores) {
                return 1;
            }
            throw new QuantityException(
                    "\"" + text + "\": unit m (thousandths) is only valid for vcore; write a whole number of " + type
                            + ", such as 1 or 2M");
        }
        long multiplier = Math.max(power(unit, BINARY_UNITS, 1024), power(unit, DECIMAL_UNITS, 1000));
        if (multiplier == 0) {
            throw new QuantityException("\"" + text + "\" has the unknown unit \"" + unit
                    + "\": known units are k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei" + (cores ? " and m" : ""));
        }
        return Math.multiplyExact(multiplier, whole);
    }

    private static long power(String unit, String[] units, long step) {
        long size = 1;
        for (int i = units.length - 1; i >= 0; i--) {
            size *= step;
            if (units[i].equals(unit)) {
                return size;
            }
        }
        return 0;
    }

    private static String shortened(String text) {
        return text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX) + "…";
    }
}
