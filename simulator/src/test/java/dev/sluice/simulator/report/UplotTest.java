package dev.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class UplotTest {

    @Test
    void library_bundled_matchesPublishedChecksum() throws IOException, GeneralSecurityException {
        List<String> sums = new String(content("SHA256SUMS"), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(sums).hasSize(3);
        for (String sum : sums) {
            String[] parts = sum.split(" +");
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content(parts[1]));
            assertThat(HexFormat.of().formatHex(digest)).as(parts[1]).isEqualTo(parts[0]);
        }
        assertThat(sums)
                .contains("19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f  uPlot.iife.min.js");
    }

    @Test
    void library_inPage_hasVersionAndLicence() {
        assertThat(PageParts.library())
                .contains("(v1.6.32)")
                .contains("The MIT License")
                .contains("Leon Sorokin")
                .doesNotContain("</script");
    }

    private static byte[] content(String name) throws IOException {
        try (InputStream in = UplotTest.class.getResourceAsStream("uplot/" + name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        }
    }
}
