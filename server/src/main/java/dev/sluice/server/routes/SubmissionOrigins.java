package dev.sluice.server.routes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.snapshot.SubmissionOrigin;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.net.URLDecoder;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads where a file is submitted from: the query parameter {@code directory} and a header with variables. */
final class SubmissionOrigins {

    /** The header with environment variables, form-encoded. A URL would appear in logs. */
    static final String HEADER = "Sluice-Environment";

    /** The header with secrets of all tasks, form-encoded. */
    static final String SECRETS_HEADER = "Sluice-Secrets";

    private static final String DIRECTORY = "directory";
    private static final int PATH_LENGTH_MAX = 4096;

    private SubmissionOrigins() {}

    /** Returns the origin of a submission; throws a {@link ProblemException} if it is invalid. */
    static SubmissionOrigin of(Call call) {
        String directory = call.query(DIRECTORY);
        if (directory != null
                && (!directory.startsWith("/")
                        || directory.length() > PATH_LENGTH_MAX
                        || directory.chars().anyMatch(Character::isISOControl))) {
            throw ProblemException.of(
                    ProblemKind.INVALID,
                    "directory must be an absolute path of at most " + PATH_LENGTH_MAX
                            + " characters without control characters");
        }
        String header = call.header(HEADER);
        SubmissionOrigin origin = directory == null && header == null
                ? SubmissionOrigin.UNKNOWN
                : new SubmissionOrigin(directory, header == null ? new TreeMap<>() : variables(HEADER, header));
        String secrets = call.header(SECRETS_HEADER);
        return secrets == null ? origin : origin.withSecrets(variables(SECRETS_HEADER, secrets));
    }

    /** Returns everything that {@link #of} reads, as one text; empty if there is nothing. */
    static String text(Call call) {
        String directory = call.query(DIRECTORY);
        String header = call.header(HEADER);
        String secrets = call.header(SECRETS_HEADER);
        return (directory == null ? "" : "&directory=" + directory)
                + (header == null ? "" : "\n" + header)
                + (secrets == null ? "" : "\nsecrets\n" + secrets);
    }

    private static SortedMap<String, String> variables(String name, String header) {
        SortedMap<String, String> variables = new TreeMap<>();
        for (String each : header.isEmpty() ? new String[0] : header.split("&")) {
            int end = each.indexOf('=');
            try {
                String variable = URLDecoder.decode(end < 0 ? each : each.substring(0, end), UTF_8);
                String value = end < 0 ? "" : URLDecoder.decode(each.substring(end + 1), UTF_8);
                if (end < 0 || !isValid(name, variable) || value.indexOf('\0') >= 0) {
                    throw invalid(name);
                }
                variables.put(variable, value);
            } catch (IllegalArgumentException e) {
                throw invalid(name);
            }
        }
        return variables;
    }

    private static boolean isValid(String header, String variable) {
        return header.equals(HEADER) ? TaskCommand.isVariable(variable) : TaskCommand.isShellVariable(variable);
    }

    private static ProblemException invalid(String header) {
        return ProblemException.of(
                ProblemKind.INVALID, header + " must be form-encoded variables, such as LANG=C&LEVEL=a%20b");
    }
}
