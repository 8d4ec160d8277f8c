package dev.sluice.server.page;

import dev.sluice.server.access.Sessions;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import org.jspecify.annotations.Nullable;

/** What routes answer with which people sign in. */
public final class SignInAnswers {

    private final Templates templates;
    private final Shells shells;
    private final Sessions sessions;
    private final boolean encrypted;
    private final String issuer;

    /**
     * What the page shows.
     *
     * @param next the page to be opened afterwards
     * @param problem why nobody is signed in; empty at first
     * @param issuer the name of the issuer at which people can sign in; empty without one
     */
    public record Model(String next, String problem, String issuer) {}

    /**
     * @param encrypted whether browsers certainly reach the server over encrypted connections
     * @param issuer the name of the issuer; empty without one
     */
    SignInAnswers(Templates templates, Shells shells, Sessions sessions, boolean encrypted, String issuer) {
        this.templates = templates;
        this.shells = shells;
        this.sessions = sessions;
        this.encrypted = encrypted;
        this.issuer = issuer;
    }

    /** Returns the page on which people sign in. */
    ApiResponse page(Call call, int status, String next, String problem) {
        Shell shell = shells.still(call, "Sign in", Shell.Section.NONE, "");
        return PageAnswers.page(status, templates.render("signin", shell, new Model(next, problem, issuer)));
    }

    /** Returns the cookie of a new session, and ends the former one. */
    String begin(Call call, String session) {
        String former = Forms.session(call);
        if (!former.isEmpty()) {
            sessions.end(former);
        }
        return cookie(call, session, Sessions.SESSION_MAX.toSeconds());
    }

    String cookie(Call call, String value, long seconds) {
        return cookie(call, Credentials.SESSION_COOKIE, value, Links.ROOT, seconds, "Strict");
    }

    /** @param sameSite when browsers send the cookie with requests from other sites */
    String cookie(Call call, String name, String value, String path, long seconds, String sameSite) {
        String origin = call.header("Origin");
        // a proxy in front of the server may encrypt connections in its place
        boolean secure = encrypted || (origin != null && origin.startsWith("https://"));
        return name + "=" + value + "; Path=" + path + "; Max-Age=" + seconds + "; HttpOnly; SameSite=" + sameSite
                + (secure ? "; Secure" : "");
    }

    /** Returns a target if it is one of these pages, else the overview. */
    static String next(@Nullable String target) {
        return target != null && Links.isPage(target) ? target : Links.ROOT;
    }
}
