package dev.sluice.cli.client;

import dev.sluice.cli.source.FileProblem;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds the access token for a server. No message contains a token. */
final class ClientToken {

    /** Environment variable with an access token. */
    static final String VARIABLE = "SLUICE_TOKEN";

    private static final int LENGTH_MAX = 16 << 10;
    private static final Set<PosixFilePermission> OF_OTHERS =
            Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

    private ClientToken() {}

    /**
     * Returns the token for a server, or null: from the file, else from the file of the context that selects the
     * server, else from {@value #VARIABLE}.
     *
     * @param file the file of {@code --token-file}, or null
     * @param warnings receives a warning if other users can read the file
     */
    static @Nullable String of(
            @Nullable Path file, Target target, Map<String, String> environment, Consumer<String> warnings) {
        Path chosen = file == null ? target.tokenFile() : file;
        String variable = environment.get(VARIABLE);
        String token;
        if (chosen != null) {
            token = valid(content(chosen), chosen.toString());
            warnAboutReaders(chosen, warnings);
        } else if (variable != null && !variable.isEmpty()) {
            token = valid(variable, VARIABLE);
        } else {
            return null;
        }
        requireSecret("the access token is", target.server());
        return token;
    }

    private static String content(Path file) {
        try {
            if (Files.size(file) > LENGTH_MAX) {
                throw ClientException.badInput(file + " is too large for an access token");
            }
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw ClientException.badInput(wrong(file.toString()));
        } catch (IOException e) {
            throw ClientException.badInput("cannot read the access token: " + FileProblem.text(e));
        }
    }

    private static String valid(String text, String where) {
        String token = text.strip();
        if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw ClientException.badInput(wrong(where));
        }
        return token;
    }

    private static String wrong(String where) {
        return where + " does not contain an access token: create one with sluice token create";
    }

    private static void warnAboutReaders(Path file, Consumer<String> warnings) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (OF_OTHERS.stream().anyMatch(permissions::contains)) {
                warnings.accept("other users can read the access token in " + file + ": run chmod 600 " + file);
            }
        } catch (IOException | UnsupportedOperationException e) {
            // the file has no permissions to check
        }
    }

    /** Throws if the connection to a server can be read by others. */
    static void requireSecret(String what, URI server) {
        if (ServerConnection.socketPath(server) != null) {
            return;
        }
        String host = server.getHost();
        boolean loopback = List.of("localhost", "[::1]").contains(host) || host.matches("127(\\.[0-9]{1,3}){3}");
        if (!"https".equals(server.getScheme()) && !loopback) {
            throw ClientException.badInput(what + " not sent to " + server + " unencrypted: use an https address");
        }
    }
}
