package dev.sluice.server.access;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where people sign in at an issuer.
 *
 * @param authorization the page of the issuer
 * @param token where a code is exchanged for tokens
 * @param secretInBody whether the issuer accepts a client's secret only in the body of a request
 */
record IssuerEndpoints(URI authorization, URI token, boolean secretInBody) {

    private static final String METHODS = "token_endpoint_auth_methods_supported";

    /** Returns the endpoints in a discovery document; null if people cannot sign in there with a code. */
    static @Nullable IssuerEndpoints of(Map<String, Object> discovery) throws ParseException, IOException {
        String authorization = JSONObjectUtils.getString(discovery, "authorization_endpoint");
        String token = JSONObjectUtils.getString(discovery, "token_endpoint");
        if (authorization == null || token == null) {
            return null;
        }
        List<String> methods = JSONObjectUtils.getStringList(discovery, METHODS);
        return new IssuerEndpoints(
                secure("authorization_endpoint", authorization),
                secure("token_endpoint", token),
                methods != null && !methods.contains("client_secret_basic") && methods.contains("client_secret_post"));
    }

    private static URI secure(String what, String address) {
        URI location = URI.create(address);
        OidcSettings.requireSecure(what, location);
        return location;
    }
}
