package dev.sluice.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The program follows the module rules, and each rule detects a violation. */
@Tag("slow")
final class ModuleRulesTest {

    private static final String CORE = "dev.sluice.core..";
    private static final String SCHEDULE = "dev.sluice.core.schedule..";
    private static final String FIXTURE = "dev.sluice.cli.architecture.fixture";

    /** Without tests, in directories of classes and in test jars. */
    private static final JavaClasses PROGRAM = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.sluice");

    private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(FIXTURE);

    @Test
    void program_isAllThere() {
        for (String type : new String[] {
            "dev.sluice.core.engine.Scheduler",
            "dev.sluice.config.snapshot.SnapshotReader",
            "dev.sluice.runtime.local.LocalRun",
            "dev.sluice.kubernetes.translation.PodTranslation",
            "dev.sluice.cli.Sluice"
        }) {
            assertThat(PROGRAM.contain(type)).as(type).isTrue();
        }
        assertThat(PROGRAM.contain(FIXTURE + ".core.UsesClock")).isFalse();
        assertThat(PROGRAM.contain("dev.sluice.core.reference.RandomCluster")).isFalse();
    }

    @Test
    void core_usesTheJdkAlone() {
        holds(ModuleRules.coreUsesTheJdkAlone(CORE));
    }

    @Test
    void core_isPure() {
        holds(ModuleRules.coreIsPure(CORE));
    }

    @Test
    void core_asksNeitherClockNorChance() {
        holds(ModuleRules.coreAsksNeitherClockNorChance(CORE));
    }

    @Test
    void modules_useWhatTheyMay() {
        holds(ModuleRules.moduleUses("dev.sluice", "core"));
        holds(ModuleRules.moduleUses("dev.sluice", "config", "core"));
        holds(ModuleRules.moduleUses("dev.sluice", "runtime", "core", "config"));
        holds(ModuleRules.moduleUses("dev.sluice", "server", "core", "config", "runtime", "simulator"));
        holds(ModuleRules.moduleUses("dev.sluice", "simulator", "core", "config", "runtime"));
        holds(ModuleRules.moduleUses("dev.sluice", "kubernetes", "core", "config", "runtime"));
    }

    @Test
    void kubernetesClient_isUsedByItsModuleAlone() {
        holds(ModuleRules.onlyKubernetesUsesItsClient("dev.sluice"));
    }

    @Test
    void vectorsOfTheState_areUsedByCoreAlone() {
        holds(ModuleRules.onlyCoreUsesVectors("dev.sluice"));
    }

    @Test
    void schedule_isNeutralToPolicies() {
        holds(ModuleRules.scheduleIsNeutralToPolicies(SCHEDULE));
    }

    @Test
    void packagesOfTheRuntime_haveNoCycles() {
        holds(ModuleRules.packagesHaveNoCycles("dev.sluice", "runtime"));
    }

    @Test
    void rules_canBeBroken() {
        String core = FIXTURE + ".core..";
        fails(ModuleRules.coreUsesTheJdkAlone(core), "UsesLibrary");
        fails(ModuleRules.coreIsPure(core), "UsesFiles");
        fails(ModuleRules.coreIsPure(core), "UsesThread");
        fails(ModuleRules.coreAsksNeitherClockNorChance(core), "Instant.now()");
        fails(ModuleRules.coreAsksNeitherClockNorChance(core), "System.currentTimeMillis()");
        fails(ModuleRules.coreAsksNeitherClockNorChance(core), "Math.random()");
        fails(ModuleRules.moduleUses(FIXTURE, "config", "core"), "UsesRuntime");
        fails(ModuleRules.onlyCoreUsesVectors(FIXTURE), "UsesVector");
        fails(ModuleRules.onlyKubernetesUsesItsClient(FIXTURE), "UsesKubernetesClient");
        fails(ModuleRules.scheduleIsNeutralToPolicies(FIXTURE + ".core.."), "UsesPolicyKind");
        fails(ModuleRules.packagesHaveNoCycles(FIXTURE, "runtime"), "UsesTwo");
    }

    private static void holds(ArchRule rule) {
        assertThatCode(() -> rule.check(PROGRAM)).doesNotThrowAnyException();
    }

    private static void fails(ArchRule rule, String culprit) {
        assertThatThrownBy(() -> rule.check(BROKEN))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(culprit);
    }
}
