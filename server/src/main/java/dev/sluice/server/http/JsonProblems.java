package dev.sluice.server.http;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Error messages for invalid JSON, in terms of JSON: those of the library name Java classes. */
final class JsonProblems {

    private static final int VALUE_LENGTH_MAX = 80;

    private JsonProblems() {}

    /** Returns the message without its location. */
    static String messageOf(JacksonException e) {
        if (e instanceof StreamConstraintsException) {
            return "the document exceeds a limit of depth, name length or number length";
        }
        if (e instanceof UnrecognizedPropertyException unknown) {
            return "unknown field " + unknown.getPropertyName() + "; known fields are " + unknown.getKnownPropertyIds();
        }
        if (e instanceof ValueInstantiationException && e.getCause() != null) {
            return at(e) + e.getCause().getMessage();
        }
        if (e instanceof InvalidNullException) {
            return at(e) + "must not be null";
        }
        if (e instanceof InvalidFormatException wrong) {
            return at(e) + "must be " + kindOf(wrong.getTargetType()) + ", not " + shortened(wrong.getValue());
        }
        if (e instanceof MismatchedInputException mismatched) {
            return at(e) + "must be " + kindOf(mismatched.getTargetType());
        }
        if (e instanceof DatabindException) {
            return at(e) + "has an invalid value";
        }
        if (e instanceof InputCoercionException) {
            return at(e) + "number out of range";
        }
        return e.getOriginalMessage();
    }

    /** Returns the path in the document, such as {@code reports[2].task}; empty at the top. */
    static String pathOf(JacksonException e) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : e.getPath()) {
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return path.toString();
    }

    /** Returns the path as the start of a message. */
    private static String at(JacksonException e) {
        String path = pathOf(e);
        return path.isEmpty() ? "the document " : path + " ";
    }

    private static String kindOf(@Nullable Class<?> type) {
        if (type == null) {
            return "a value of another type";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type == double.class || type == Double.class || type == float.class || type == Float.class) {
            return "a number";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "a whole number";
        }
        if (CharSequence.class.isAssignableFrom(type)) {
            return "text";
        }
        if (Collection.class.isAssignableFrom(type) || type.isArray()) {
            return "a list";
        }
        return Record.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) ? "an object" : "another value";
    }

    private static String shortened(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() <= VALUE_LENGTH_MAX ? text : text.substring(0, VALUE_LENGTH_MAX) + "…";
    }
}
