package dev.sluice.config.field;

import dev.sluice.config.yaml.TextInterner;
import dev.sluice.config.yaml.YamlMap;
import dev.sluice.config.yaml.YamlScalar;
import dev.sluice.core.resource.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shares the amounts of maps that are written alike, and reads them once. Slots work like those of
 * {@link TextInterner}.
 */
public final class ResourcesInterner {

    private static final int SIZE = 1 << 10;

    /** The maximum number of characters of a map that is kept. */
    private static final int LENGTH_MAX = 128;

    private final @Nullable Known[] slots = new Known[SIZE];

    /** A map without problems and its amounts. */
    private record Known(List<YamlMap.Entry> entries, Resources resources) {

        boolean isWritten(List<YamlMap.Entry> others) {
            if (others.size() != entries.size()) {
                return false;
            }
            for (int i = 0; i < others.size(); i++) {
                YamlMap.Entry entry = entries.get(i);
                YamlMap.Entry other = others.get(i);
                if (!entry.key().text().equals(other.key().text())
                        || !(entry.value() instanceof YamlScalar scalar)
                        || !(other.value() instanceof YamlScalar same)
                        || !scalar.text().equals(same.text())
                        || scalar.quoted() != same.quoted()) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Reads amounts like {@link Field#asResources}. */
    public Resources read(Field field) {
        List<YamlMap.Entry> entries = field.entries();
        int hash = 0;
        int length = 0;
        for (YamlMap.Entry entry : entries) {
            String type = entry.key().text();
            String amount = entry.value() instanceof YamlScalar scalar ? scalar.text() : "";
            hash = 31 * (31 * hash + type.hashCode()) + amount.hashCode();
            length += type.length() + amount.length();
        }
        int index = (hash ^ hash >>> 16) & (SIZE - 1);
        Known known = slots[index];
        if (known != null && known.isWritten(entries)) {
            return known.resources();
        }
        int problems = field.problemCount();
        Resources resources = field.asResources();
        if (field.problemCount() == problems && length <= LENGTH_MAX) {
            slots[index] = new Known(entries, resources);
        }
        return resources;
    }
}
