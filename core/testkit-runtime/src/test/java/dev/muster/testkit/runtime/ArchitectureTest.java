package dev.muster.testkit.runtime;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.muster.testkit.EngineConformance;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The architecture rules of the SPI and the runtime. */
@Tag(EngineConformance.ONE_JDK)
class ArchitectureTest {

    private static final String RUNTIME = "dev.muster.runtime";
    /** The conformance kit calls the runtime to carry out plans, so its classes count as callers too. */
    private static final JavaClasses WITH_THE_KIT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.muster.spi", RUNTIME, "dev.muster.testkit");

    private static final JavaClasses CLASSES =
            WITH_THE_KIT.that(resideInAnyPackage("dev.muster.spi..", RUNTIME + ".."));

    @Test
    void thereIsSomethingToCheck() {
        assertThat(CLASSES.stream().filter(type -> type.getPackageName().equals("dev.muster.spi")))
                .hasSizeGreaterThan(30);
        assertThat(CLASSES.stream().filter(type -> type.getPackageName().startsWith(RUNTIME)))
                .hasSizeGreaterThan(80);
    }

    /** A rule about who may use a library proves nothing if no class uses the library. */
    @Test
    void theFencedLibrariesAreUsedWhereTheyBelong() {
        assertThat(uses("commands", "org.apache.commons.exec")).isTrue();
        assertThat(uses("json", "com.fasterxml.jackson")).isTrue();
        assertThat(uses("app", "com.google.inject")).isTrue();
    }

    private static boolean uses(String room, String library) {
        return CLASSES.stream()
                .filter(type -> type.getPackageName().equals(RUNTIME + "." + room))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .anyMatch(dependency ->
                        dependency.getTargetClass().getPackageName().startsWith(library));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void holds(ArchRule rule) {
        rule.allowEmptyShould(false).check(CLASSES);
    }

    static Stream<ArchRule> rules() {
        return Stream.of(
                classes()
                        .that()
                        .resideInAPackage("dev.muster.spi")
                        .should()
                        .onlyDependOnClassesThat()
                        .resideInAnyPackage("dev.muster.spi", "java..", "org.jspecify.annotations")
                        .because("a third party that writes an engine depends on as little as possible"),
                onlyIn("commands", "org.apache.commons.exec..")
                        .because(
                                "its defaults rewrite arguments and lose exit codes; one room knows how to avoid them"),
                onlyIn("json", "com.fasterxml.jackson..")
                        .because("limits and strictness of JSON are set once, and the SPI speaks of JDK types"),
                noClasses()
                        .that()
                        .resideOutsideOfPackage(RUNTIME + ".app..")
                        .and()
                        .doNotHaveFullyQualifiedName(RUNTIME + ".launch.LaunchCommand")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("com.google.inject..")
                        .because("modules say what the program and the launch of a job are made of"),
                noClasses()
                        .that()
                        .doNotHaveFullyQualifiedName(RUNTIME + ".app.Main")
                        .should()
                        .accessTargetWhere(calls(
                                "end the JVM",
                                "java.lang.System.exit",
                                "java.lang.Runtime.exit",
                                "java.lang.Runtime.halt"))
                        .because("only one place may decide that the launcher is done"),
                noClasses()
                        .that()
                        .doNotHaveFullyQualifiedName(RUNTIME + ".config.ProcessInfo")
                        .should()
                        .accessTargetWhere(calls(
                                "ask for the environment",
                                "java.lang.System.getenv",
                                "java.lang.System.getProperty",
                                "java.lang.System.getProperties"))
                        .because("the world is captured once, as a value, so that tests can hand in another"),
                noClasses()
                        .that()
                        .resideOutsideOfPackages(RUNTIME + ".cli..", RUNTIME + ".output..")
                        .should()
                        .accessTargetWhere(calls("touch the console", "java.lang.System.out", "java.lang.System.err"))
                        .because("lines of different origin must not tear each other"),
                slices().matching(RUNTIME + ".(*)..")
                        .should()
                        .beFreeOfCycles()
                        .because("a room that needs another, which needs the first, is one room"),
                noClasses()
                        .that()
                        .resideOutsideOfPackage(RUNTIME + ".app..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(RUNTIME + ".app..")
                        .because("the composition root knows everybody, and nobody knows it"),
                noClasses()
                        .that()
                        .resideInAnyPackage(
                                RUNTIME + ".process..",
                                RUNTIME + ".files..",
                                RUNTIME + ".output..",
                                RUNTIME + ".conditions..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(RUNTIME + ".supervise..")
                        .because("the event loop uses its hands and eyes, not the other way round"),
                noClasses()
                        .that()
                        .resideInAPackage(RUNTIME + ".link..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(RUNTIME + ".supervise..", RUNTIME + ".launch..", RUNTIME + ".report..")
                        .because("launchers speak of ends and processes, whoever decides about them here"),
                noClasses()
                        .that()
                        .resideInAPackage(RUNTIME + ".link..")
                        .should()
                        .dependOnClassesThat(describe(
                                "know the time of day",
                                type -> Set.of("java.time.Instant", "java.time.Clock", "java.util.Date")
                                        .contains(type.getName())))
                        .because("hosts do not agree on it: what was first is decided by clocks that are compared"),
                classes()
                        .that()
                        .resideInAPackage(RUNTIME + "..")
                        .and()
                        .arePublic()
                        .and()
                        .areTopLevelClasses()
                        .and()
                        .doNotHaveFullyQualifiedName(RUNTIME + ".app.Main")
                        .should(beUsedFromAnotherPackage())
                        .because("what no other room uses is package-private"),
                noClasses()
                        .should()
                        .accessTargetWhere(
                                calls("sleep", "java.lang.Thread.sleep", "java.util.concurrent.TimeUnit.sleep"))
                        .because("whoever sleeps cannot be woken by a signal"),
                noClasses()
                        .that()
                        .resideOutsideOfPackages(RUNTIME + ".app..", RUNTIME + ".config..", RUNTIME + ".output..")
                        .should()
                        .accessTargetWhere(calls(
                                "ask the clock",
                                "java.lang.System.nanoTime",
                                "java.lang.System.currentTimeMillis",
                                "java.time.Instant.now",
                                "java.time.LocalDateTime.now"))
                        .because("clocks are handed in, so that tests can turn them; the pumps alone time real pipes"));
    }

    private static ArchRule onlyIn(String room, String library) {
        return noClasses()
                .that()
                .resideOutsideOfPackage(RUNTIME + "." + room + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library);
    }

    private static DescribedPredicate<JavaAccess<?>> calls(String what, String... members) {
        Set<String> forbidden = Set.of(members);
        return describe(what, access -> {
            AccessTarget target = access.getTarget();
            return forbidden.contains(target.getOwner().getName() + "." + target.getName());
        });
    }

    private static ArchCondition<JavaClass> beUsedFromAnotherPackage() {
        return new ArchCondition<>("be used from another package") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!isUsedElsewhere(type) && !isPartOfAPublicSignature(type)) {
                    events.add(SimpleConditionEvent.violated(
                            type, type.getName() + " is public, but no other package uses it"));
                }
            }
        };
    }

    private static boolean isUsedElsewhere(JavaClass type) {
        return WITH_THE_KIT.stream()
                .filter(each ->
                        each.getName().equals(type.getName()) || each.getName().startsWith(type.getName() + "$"))
                .flatMap(each -> each.getDirectDependenciesToSelf().stream())
                .anyMatch(dependency ->
                        !dependency.getOriginClass().getPackageName().equals(type.getPackageName()));
    }

    /** A caller of such a method uses the type, even if its byte code does not name the type. */
    private static boolean isPartOfAPublicSignature(JavaClass type) {
        return type.getPackage().getClasses().stream()
                .filter(other -> !other.equals(type) && other.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(other -> other.getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .anyMatch(method ->
                        method.getReturnType().getAllInvolvedRawTypes().contains(type));
    }
}
