package dev.sluice.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The address and credentials of a PostgreSQL database. Its text form has no password. */
public final class DatabaseAddress {

    private static final String EXAMPLE = "such as postgresql://user@host:5432/database?currentSchema=sluice";

    private final String url;
    private final @Nullable String user;
    private final @Nullable String password;

    private DatabaseAddress(String url, @Nullable String user, @Nullable String password) {
        this.url = url;
        this.user = user;
        this.password = password;
    }

    /**
     * Parses an address: {@code jdbc:postgresql://host/database?user=...} or
     * {@code postgresql://user:password@host/database}, both with parameters of the driver.
     *
     * @param passwordFile a file with the password, or null; overrides the address
     * @param environment provides the defaults {@code PGPASSWORD} and {@code PGUSER}
     * @throws IllegalArgumentException if the address is invalid or the file cannot be read
     */
    public static DatabaseAddress of(String text, @Nullable Path passwordFile, Map<String, String> environment) {
        String rest = text.startsWith("jdbc:") ? text.substring("jdbc:".length()) : text;
        if (rest.startsWith("postgres://")) {
            rest = "postgresql" + rest.substring("postgres".length());
        }
        if (!rest.startsWith("postgresql:")) {
            throw new IllegalArgumentException("not the address of a PostgreSQL database, " + EXAMPLE);
        }
        rest = rest.substring("postgresql:".length());
        String user = environment.get("PGUSER");
        String password = environment.get("PGPASSWORD");
        int question = rest.indexOf('?');
        String location = question < 0 ? rest : rest.substring(0, question);
        if (location.startsWith("//")) {
            int at = location.lastIndexOf('@');
            if (at >= 0) {
                String login = location.substring(2, at);
                int colon = login.indexOf(':');
                user = decoded(colon < 0 ? login : login.substring(0, colon));
                password = colon < 0 ? password : decoded(login.substring(colon + 1));
                location = "//" + location.substring(at + 1);
            }
            int slash = location.indexOf('/', 2);
            if (slash < 0 || slash == location.length() - 1) {
                throw new IllegalArgumentException(
                        "database name missing in the address; expected an address " + EXAMPLE);
            }
        }
        StringJoiner parameters = new StringJoiner("&", "?", "").setEmptyValue("");
        if (question >= 0) {
            for (String parameter : rest.substring(question + 1).split("&")) {
                if (parameter.startsWith("user=")) {
                    user = decoded(parameter.substring("user=".length()));
                } else if (parameter.startsWith("password=")) {
                    password = decoded(parameter.substring("password=".length()));
                } else if (!parameter.isEmpty()) {
                    parameters.add(parameter);
                }
            }
        }
        if (passwordFile != null) {
            password = read(passwordFile);
        }
        return new DatabaseAddress("jdbc:postgresql:" + location + parameters, user, password);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8).stripTrailing();
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the password file: " + file, e);
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            // without the cause, whose message may contain the password
            throw new IllegalArgumentException(
                    "in the address, % must be followed by two hexadecimal digits; write %25 for % itself");
        }
    }

    /** Returns the URL for the driver, without user and password. */
    String url() {
        return url;
    }

    @Nullable String user() {
        return user;
    }

    @Nullable String password() {
        return password;
    }

    /** Returns the address without the password. */
    @Override
    public String toString() {
        int question = url.indexOf('?');
        return url.substring("jdbc:".length(), question < 0 ? url.length() : question);
    }
}
