package dev.sluice.config.field;

/**
 * A key of a section, with its documentation. References and JSON schemas are made from it.
 *
 * @param name the key as written
 * @param type how its value is written
 * @param required whether the reader reports a problem when the key is missing or has no value
 * @param defaultsTo the value used when the key is missing, or a phrase that says what is used then; empty if there is
 *     none
 * @param meaning what the key means, in plain sentences
 * @param example an example of the value, as YAML; may be empty
 * @param appliesTo where the key has an effect; empty: wherever it may be written
 * @param file the only kind of file that may have the key; empty: every kind that has the section
 */
public record Key(
        String name,
        KeyType type,
        boolean required,
        String defaultsTo,
        String meaning,
        String example,
        String appliesTo,
        String file) {

    /** The value of {@link #file} for keys that only snapshots have. */
    public static final String SNAPSHOT = "snapshot";

    /** An optional key without a default. */
    public static Key of(String name, KeyType type, String meaning) {
        return new Key(name, type, false, "", meaning, "", "", "");
    }

    /** Returns this key as a required one. */
    public Key isRequired() {
        return new Key(name, type, true, defaultsTo, meaning, example, appliesTo, file);
    }

    /** Returns this key with this default. */
    public Key or(String newDefault) {
        return new Key(name, type, required, newDefault, meaning, example, appliesTo, file);
    }

    /** Returns this key with this example. */
    public Key eg(String newExample) {
        return new Key(name, type, required, defaultsTo, meaning, newExample, appliesTo, file);
    }

    /** Returns this key with the place where it has an effect. */
    public Key appliesTo(String place) {
        return new Key(name, type, required, defaultsTo, meaning, example, place, file);
    }

    /** Returns this key as one that only this kind of file may have. */
    public Key onlyIn(String newFile) {
        return new Key(name, type, required, defaultsTo, meaning, example, appliesTo, newFile);
    }
}
