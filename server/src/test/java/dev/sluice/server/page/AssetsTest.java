package dev.sluice.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AssetsTest {

    @Test
    void libraries_bundled_matchChecksums() throws IOException, GeneralSecurityException {
        List<String> sums = text("SHA256SUMS").lines().toList();
        assertThat(sums).hasSize(6);
        for (String sum : sums) {
            String[] parts = sum.split(" +");
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content(parts[1]));
            assertThat(HexFormat.of().formatHex(digest)).as(parts[1]).isEqualTo(parts[0]);
        }
    }

    @Test
    void libraries_haveLicences() throws IOException {
        assertThat(text("htmx.LICENSE")).contains("Zero-Clause BSD");
        assertThat(text("sse.LICENSE")).containsIgnoringCase("BSD");
        assertThat(text("morph.LICENSE")).contains("Zero-Clause BSD");
        assertThat(text("htmx.min.js")).contains("2.0.10");
    }

    @Test
    void ownAssets_askNoOtherHost() throws IOException {
        assertThat(text("page.css")).doesNotContain("http", "@import", "url(");
        assertThat(text("page.js")).doesNotContain("http", "innerHTML", "eval(");
    }

    private static String text(String name) throws IOException {
        return new String(content(name), StandardCharsets.UTF_8);
    }

    private static byte[] content(String name) throws IOException {
        try (InputStream in = Assets.class.getResourceAsStream("assets/" + name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        }
    }
}
