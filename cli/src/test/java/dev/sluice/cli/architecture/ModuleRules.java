package dev.sluice.cli.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.share.FairShare;
import dev.sluice.core.share.LoadShare;
import dev.sluice.core.share.ShareFigures;
import dev.sluice.core.share.UsageShare;
import dev.sluice.core.state.Queue;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;

/** Dependency rules of the modules. A class belongs to the module of its package. */
final class ModuleRules {

    /** JDK classes that {@code core} must not use: files, networks, logs, threads, clocks, random sources. */
    private static final DescribedPredicate<JavaClass> OUTSIDE_WORLD = resideInAnyPackage(
                    "java.io..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.net..",
                    "java.util.logging..",
                    "java.util.concurrent..",
                    "java.util.random..",
                    "java.security..",
                    "java.lang.management..")
            // marker interface of exceptions, enums and lambdas
            .and(not(name("java.io.Serializable")))
            .or(oneOf(
                    Thread.class,
                    ThreadLocal.class,
                    Runtime.class,
                    Process.class,
                    ProcessBuilder.class,
                    ProcessHandle.class,
                    Clock.class,
                    InstantSource.class,
                    Random.class,
                    SplittableRandom.class,
                    Timer.class))
            .as("the world outside: files, networks, logs, threads, clocks or chance");

    private ModuleRules() {}

    private static DescribedPredicate<JavaClass> oneOf(Class<?>... classes) {
        List<String> names = List.of(classes).stream().map(Class::getName).toList();
        return DescribedPredicate.describe(
                "one of " + names,
                javaClass -> names.contains(javaClass.getBaseComponentType().getName()));
    }

    /** Calls that read the time, random sources, the environment or the console. */
    private static DescribedPredicate<JavaAccess<?>> impureAccess() {
        List<String> clocks = List.of(
                Instant.class.getName(),
                LocalDate.class.getName(),
                LocalDateTime.class.getName(),
                LocalTime.class.getName(),
                OffsetDateTime.class.getName(),
                ZonedDateTime.class.getName());
        return DescribedPredicate.describe("use of the clock, chance, the environment or the console", access -> {
            String owner = access.getTargetOwner().getName();
            String member = access.getName();
            return (clocks.contains(owner) && member.equals("now"))
                    || (owner.equals(System.class.getName()) && !member.equals("arraycopy"))
                    || (owner.equals(Math.class.getName()) && member.equals("random"))
                    || (owner.equals(UUID.class.getName()) && member.equals("randomUUID"))
                    || (owner.equals(Collections.class.getName()) && member.equals("shuffle"))
                    || member.equals("printStackTrace");
        });
    }

    /** {@code core} uses only the JDK and nullness annotations. */
    static ArchRule coreUsesTheJdkAlone(String core) {
        return classes()
                .that()
                .resideInAPackage(core)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(core, "java..", "org.jspecify.annotations.."));
    }

    /** {@code core} does no I/O. */
    static ArchRule coreIsPure(String core) {
        return noClasses().that().resideInAPackage(core).should().dependOnClassesThat(OUTSIDE_WORLD);
    }

    /** {@code core} calls no method whose result changes over time. */
    static ArchRule coreAsksNeitherClockNorChance(String core) {
        return noClasses().that().resideInAPackage(core).should().accessTargetWhere(impureAccess());
    }

    /** Only {@code core} uses the arrays of the state, which must not be modified; other modules read amounts. */
    static ArchRule onlyCoreUsesVectors(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackage(root + ".core..")
                .should()
                .accessTargetWhere(vectorOfState());
    }

    /** Only {@code kubernetes} uses the client of Kubernetes, and the version of Jackson that belongs to it. */
    static ArchRule onlyKubernetesUsesItsClient(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackage(root + ".kubernetes..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "io.fabric8..", "com.fasterxml.jackson.databind..", "com.fasterxml.jackson.core.."));
    }

    private static DescribedPredicate<JavaAccess<?>> vectorOfState() {
        String vector = long[].class.getName();
        return DescribedPredicate.describe(
                "a vector of the state",
                access -> access.getTargetOwner().getPackageName().equals(Queue.class.getPackageName())
                        && access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget method
                        && (method.getRawReturnType().getName().equals(vector)
                                || method.getRawParameterTypes().stream()
                                        .anyMatch(type -> type.getName().equals(vector))));
    }

    /** The schedule of {@code core} depends on the interface of share policies, not on single ones. */
    static ArchRule scheduleIsNeutralToPolicies(String schedule) {
        return noClasses()
                .that()
                .resideInAPackage(schedule)
                .and()
                .haveNameNotMatching(".*\\.ConfiguredPolicies(\\$.*)?")
                .should()
                .dependOnClassesThat(oneOf(SharePolicyKind.class, FairShare.class, LoadShare.class, UsageShare.class)
                        .or(assignableTo(ShareFigures.class).and(not(name(ShareFigures.class.getName())))));
    }

    /** Packages of a module have no cyclic dependencies. */
    static ArchRule packagesHaveNoCycles(String root, String module) {
        return slices().matching(root + "." + module + ".(**)").should().beFreeOfCycles();
    }

    /** A module uses only the given modules of the project. */
    static ArchRule moduleUses(String root, String module, String... others) {
        String own = root + "." + module + "..";
        String[] allowed = new String[others.length + 1];
        allowed[0] = own;
        for (int i = 0; i < others.length; i++) {
            allowed[i + 1] = root + "." + others[i] + "..";
        }
        return noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(resideInAPackage(root + "..").and(not(resideInAnyPackage(allowed))));
    }
}
