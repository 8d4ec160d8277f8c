package dev.sluice.server.page;

import dev.sluice.server.route.ApiResponse;
import java.util.Map;

/** The answers of pages, with headers that keep browsers from doing more than a page needs. */
final class PageAnswers {

    /** The media type of pages. */
    static final String HTML = "text/html; charset=utf-8";

    /** Everything comes from this server, nothing is inline, and no other site may frame a page. */
    static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy", CONTENT_SECURITY_POLICY,
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Referrer-Policy", "same-origin",
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY");

    private PageAnswers() {}

    /** Returns a page. */
    static ApiResponse page(int status, String html) {
        return new ApiResponse(status, new ApiResponse.TextBody(HTML, html), HEADERS);
    }

    /** Returns an answer that makes the browser open another page with GET. */
    static ApiResponse redirect(String address) {
        return new ApiResponse(303, null, HEADERS).withHeader("Location", address);
    }

    /** Returns a file that the browser saves and does not show. */
    static ApiResponse file(ApiResponse.StreamBody content, String name) {
        return new ApiResponse(200, content, HEADERS)
                .withHeader("Content-Disposition", "attachment; filename=\"" + fileName(name) + "\"");
    }

    /** Returns a table that the browser saves and does not show. */
    static ApiResponse table(String csv, String name) {
        return new ApiResponse(200, new ApiResponse.TextBody("text/csv; charset=utf-8; header=present", csv), HEADERS)
                .withHeader("Content-Disposition", "attachment; filename=\"" + fileName(name) + "\"");
    }

    /** Returns a page with scripts of its own, which the browser runs apart from this site. */
    static ApiResponse foreignPage(String html, String policy) {
        return page(200, html)
                .withHeader("Content-Security-Policy", policy + "; frame-ancestors 'none'; sandbox allow-scripts");
    }

    private static String fileName(String name) {
        return name.replaceAll("[^A-Za-z0-9._-]", "_");
    }

    /** Returns a file that does not change at its address. */
    static ApiResponse asset(Assets.Asset asset, boolean forEver) {
        return new ApiResponse(200, new ApiResponse.TextBody(asset.type(), asset.content()), HEADERS)
                .withHeader("Cache-Control", forEver ? "public, max-age=31536000, immutable" : "no-cache");
    }
}
