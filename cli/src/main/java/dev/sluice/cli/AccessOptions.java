package dev.sluice.cli;

import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.access.OidcSettings;
import java.nio.file.Path;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for how callers reach a server, and how it knows them. */
final class AccessOptions {

    @Option(
            names = "--insecure",
            description = "Let everyone on this machine do everything over TCP, without a token; for development. Only"
                    + " with a loopback address; as root only with --allow-root.")
    private boolean insecure;

    @Mixin
    private OidcOptions oidcOptions = new OidcOptions();

    @Option(
            names = "--trusted-proxies",
            paramLabel = "USER",
            split = ",",
            description = "Users who may speak for others with the header Sluice-User, such as that of a web portal;"
                    + " those others are submitters at most.")
    private Set<String> trustedProxies = Set.of();

    @Mixin
    private ListenOptions listen = new ListenOptions();

    /**
     * Returns the settings; throws {@link UserException} if an option is missing or has no effect.
     *
     * @param data the data folder
     */
    AccessSettings settings(Path data) {
        OidcSettings oidc = oidcOptions.settings();
        if (insecure && oidc != null) {
            throw new UserException("--insecure and --oidc-issuer exclude each other: remove one");
        }
        for (String user : trustedProxies) {
            if (user.isEmpty() || user.chars().anyMatch(c -> c <= ' ')) {
                throw new UserException("--trusted-proxies: \"" + user + "\" is not the name of a user");
            }
        }
        try {
            return new AccessSettings(insecure, oidc, listen.settings(data), trustedProxies);
        } catch (IllegalArgumentException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }
}
