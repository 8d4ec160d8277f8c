package dev.sluice.kubernetes.configuration;

import dev.sluice.config.problem.Problem;
import dev.sluice.config.yaml.YamlLimits;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The entries of config maps that complement each other, by key. As in YuniKorn, an entry of {@code binaryData} whose
 * key ends with {@code .gz} is compressed text.
 */
final class ConfigEntries {

    private static final String COMPRESSED = ".gz";

    private final SortedMap<String, Entry> byKey = new TreeMap<>();
    private final List<Problem> problems = new ArrayList<>();

    /**
     * An entry.
     *
     * @param source the config map that contains it
     * @param text its value
     */
    record Entry(String source, String text) {}

    /** Returns what messages call a config map: {@code configmap sluice/sluice-config}. */
    static String sourceOf(ConfigMap map) {
        return "configmap " + map.getMetadata().getNamespace() + "/"
                + map.getMetadata().getName();
    }

    /** Adds the entries of a config map, which replace those of earlier ones. */
    void add(ConfigMap map) {
        String source = sourceOf(map);
        orEmpty(map.getData()).forEach((key, text) -> byKey.put(key, new Entry(source, text)));
        orEmpty(map.getBinaryData()).forEach((key, data) -> {
            if (key.endsWith(COMPRESSED)) {
                String text = decompressed(source + ", " + key, data);
                if (text != null) {
                    String plain = key.substring(0, key.length() - COMPRESSED.length());
                    byKey.put(plain, new Entry(source, text));
                }
            } else {
                byKey.put(key, new Entry(source, ""));
            }
        });
    }

    SortedMap<String, Entry> byKey() {
        return byKey;
    }

    /** Returns why entries could not be read. */
    List<Problem> problems() {
        return problems;
    }

    private @Nullable String decompressed(String name, String data) {
        try (InputStream stream =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(data)))) {
            byte[] bytes = stream.readNBytes(YamlLimits.FILE_BYTES_MAX + 1);
            if (bytes.length <= YamlLimits.FILE_BYTES_MAX) {
                return new String(bytes, StandardCharsets.UTF_8);
            }
            problem(name, "too large: the maximum is " + (YamlLimits.FILE_BYTES_MAX >> 20) + " MiB");
        } catch (IOException | IllegalArgumentException e) {
            problem(name, "is not compressed with gzip: " + e.getMessage());
        }
        return null;
    }

    private void problem(String name, String message) {
        problems.add(new Problem(name, 0, 0, "", message));
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> entries) {
        return entries == null ? Map.of() : entries;
    }
}
