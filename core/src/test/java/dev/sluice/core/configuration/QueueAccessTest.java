package dev.sluice.core.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.resource.Resources;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueAccessTest {

    @ParameterizedTest
    @CsvSource({
        "'',            ada, dev, false",
        "' ',           ada, dev, false",
        "ada,           ada, dev, true",
        "'bob,ada',     ada, dev, true",
        "'bob,',        '',  dev, false",
        "ada,           bob, ada, false",
        "dev,           ada, dev, false",
        "' dev',        ada, dev, true",
        "' dev',        dev, ops, false",
        "'bob dev,ops', ada, ops, true",
        "'bob dev',     bob, ops, true",
        "'bob dev',     ada, ops, false",
        "*,             '',  '',  true",
        "' *',          ada, dev, true",
        "'bob *',       ada, dev, true",
        "'bob,*',       ada, dev, false",
    })
    void list_asWritten_allows(String text, String user, String group, boolean allowed) {
        assertThat(AccessList.parse(text).allows(user, List.of(group))).isEqualTo(allowed);
    }

    @Test
    void list_ofThreeParts_isInvalid() {
        assertThatThrownBy(() -> AccessList.parse("a b c"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than one space");
    }

    /**
     * <pre>
     * root
     *   lab        submitacl: ada dev   adminacl: max
     *     gpu      submitacl: eve
     *   open       submitacl: *
     *   closed
     * </pre>
     */
    private static final QueueAccess ACCESS = of(queue(
            "root",
            "",
            "",
            queue("lab", "ada dev", "max", queue("gpu", "eve", "")),
            queue("open", "*", ""),
            queue("closed", "", "")));

    private static QueueAccess of(QueueConfiguration root) {
        return QueueAccess.of(PartitionConfiguration.of("default", root));
    }

    private static QueueConfiguration queue(
            String name, String submitAcl, String adminAcl, QueueConfiguration... children) {
        return new QueueConfiguration(
                name,
                false,
                Resources.NONE,
                Resources.NONE,
                0,
                QueueProperties.DEFAULTS,
                submitAcl,
                adminAcl,
                List.of(),
                null,
                Arrays.asList(children));
    }

    @ParameterizedTest
    @CsvSource({
        "root.lab,         ada, ops, true,  false",
        "root.lab.gpu,     ada, ops, true,  false",
        "root.lab.gpu,     bob, dev, true,  false",
        "root.lab.gpu.new, bob, dev, true,  false",
        "root.lab.gpu,     eve, ops, true,  false",
        "root.lab,         eve, ops, false, false",
        "root.lab.gpu,     max, ops, true,  true",
        "root.laboratory,  max, ops, false, false",
        "root.open.x,      bob, ops, true,  false",
        "root.closed,      max, dev, false, false",
        "root,             max, dev, false, false",
    })
    void access_listOfQueue_holdsBelowIt(String path, String user, String group, boolean submit, boolean administer) {
        assertThat(ACCESS.maySubmit(path, user, List.of(group))).isEqualTo(submit);
        assertThat(ACCESS.mayAdminister(path, user, List.of(group))).isEqualTo(administer);
    }

    @Test
    void access_withoutLists_isForEverybodyToSubmit() {
        QueueAccess access = of(queue("root", "", "", queue("a", "", "")));
        assertThat(access.maySubmit("root.a", "ada", List.of())).isTrue();
        assertThat(access.mayAdminister("root.a", "ada", List.of())).isFalse();
    }
}
