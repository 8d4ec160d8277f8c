package dev.sluice.server.store;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.sql.SQLException;

/** Error messages: the failed action, the reason and a remedy. */
final class Failures {

    private Failures() {}

    /** Converts an error of the database. */
    static StoreException of(Database database, String what, SQLException error) {
        Kind kind = database.kindOf(error);
        return new StoreException(
                kind, "cannot " + what + " in " + database.name() + ": " + reason(error) + ". " + hint(kind), error);
    }

    /** Returns the reason for an error in one line. */
    static String reason(Throwable error) {
        String message = error.getMessage();
        String reason = (message == null ? error.getClass().getSimpleName() : message)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce((a, b) -> a + " " + b)
                .orElse("");
        return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
    }

    static String hint(Kind kind) {
        return switch (kind) {
            case FULL -> "Free disk space";
            case UNAVAILABLE -> "Retrying until it is reachable";
            case IN_USE -> "Stop the other process first";
            case DAMAGED -> "Restore a backup";
            case UNUSABLE -> "Nothing was changed";
        };
    }
}
