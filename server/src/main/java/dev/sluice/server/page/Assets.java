package dev.sluice.server.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Scripts, styles and pictures of the page. Their addresses contain a digest, so browsers may keep them for ever. */
final class Assets {

    private static final int DIGEST_LENGTH = 12;

    private static final Map<String, Asset> BY_NAME = read(Map.of(
            "page.css", "text/css; charset=utf-8",
            "page.js", "text/javascript; charset=utf-8",
            "htmx.min.js", "text/javascript; charset=utf-8",
            "sse.min.js", "text/javascript; charset=utf-8",
            "morph.min.js", "text/javascript; charset=utf-8",
            "icon.svg", "image/svg+xml"));

    /**
     * A file.
     *
     * @param type its media type
     * @param digest a part of its digest
     */
    record Asset(String type, String content, String digest) {}

    private Assets() {}

    private static Map<String, Asset> read(Map<String, String> types) {
        Map<String, Asset> assets = new LinkedHashMap<>();
        for (Map.Entry<String, String> type : types.entrySet()) {
            byte[] content = content(type.getKey());
            assets.put(
                    type.getKey(),
                    new Asset(type.getValue(), new String(content, StandardCharsets.UTF_8), digest(content)));
        }
        return assets;
    }

    private static byte[] content(String name) {
        try (InputStream in = Assets.class.getResourceAsStream("assets/" + name)) {
            if (in == null) {
                throw new IllegalStateException("asset " + name + " is missing in the program");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest).substring(0, DIGEST_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the asset, or null if there is none with this name. */
    static @Nullable Asset find(String name) {
        return BY_NAME.get(name);
    }

    /** Returns the address of an asset. */
    static String link(String name) {
        Asset asset = BY_NAME.get(name);
        if (asset == null) {
            throw new IllegalArgumentException("unknown asset " + name);
        }
        return Links.ROOT + "/assets/" + name + "?v=" + asset.digest();
    }
}
