package dev.muster.testkit;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;

/**
 * The architecture rules for engines, ours and strangers'. Each takes the package of the engine; {@link EngineConformance}
 * runs them on every engine.
 *
 * @since 0.1
 */
public final class EngineRules {

    /** Packages of the JDK whose types do things, or ask the world. */
    private static final List<String> FORBIDDEN_PACKAGES = List.of(
            "java.io",
            "java.lang.ref",
            "java.lang.reflect",
            "java.net",
            "java.nio.channels",
            "java.nio.file",
            "java.rmi",
            "java.security",
            "java.sql",
            "java.util.concurrent",
            "java.util.logging",
            "java.util.prefs",
            "javax",
            "jdk",
            "sun");

    private static final Set<String> FORBIDDEN_TYPES = Set.of(
            "java.lang.ClassLoader",
            "java.lang.InheritableThreadLocal",
            "java.lang.Process",
            "java.lang.ProcessBuilder",
            "java.lang.ProcessHandle",
            "java.lang.Runtime",
            "java.lang.System",
            "java.lang.System$Logger",
            "java.lang.Thread",
            "java.lang.ThreadLocal",
            "java.time.Clock",
            "java.util.Random",
            "java.util.Scanner",
            "java.util.ServiceLoader",
            "java.util.SplittableRandom",
            "java.util.Timer",
            "java.util.TimerTask");

    /** Serialization is how the compiler spells exceptions and enums; it does nothing by itself. */
    private static final Set<String> HARMLESS = Set.of("java.io.Serializable", "java.io.ObjectStreamException");

    private EngineRules() {}

    /** All rules for the engine in this package and those below it. */
    public static List<ArchRule> forEngineIn(String enginePackage) {
        return List.of(
                dependsOnTheSpiOnly(enginePackage),
                touchesNothing(enginePackage),
                asksNoClockAndNoDice(enginePackage),
                speaksOfNoPlatform(enginePackage),
                hasOnePublicType(enginePackage));
    }

    static ArchRule dependsOnTheSpiOnly(String enginePackage) {
        return classes()
                .that()
                .resideInAPackage(enginePackage + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(enginePackage + "..", "dev.muster.spi", "java..", "org.jspecify.annotations")
                .because(
                        "an engine is a function over the SPI; what it needs of another library it must bring as its own code,"
                                + " and engines never know each other");
    }

    static ArchRule touchesNothing(String enginePackage) {
        return noClasses()
                .that()
                .resideInAPackage(enginePackage + "..")
                .should()
                .dependOnClassesThat(
                        describe("start, write, read, wait, log or ask the world", EngineRules::hasEffects))
                .because("all effects are the runtime's: only so a plan can be made without carrying it out");
    }

    static ArchRule asksNoClockAndNoDice(String enginePackage) {
        DescribedPredicate<JavaAccess<?>> asks =
                describe("asks the clock or throws dice", EngineRules::asksClockOrDice);
        return noClasses()
                .that()
                .resideInAPackage(enginePackage + "..")
                .should()
                .accessTargetWhere(asks)
                .because("equal requests must give equal plans, on every node and on every day");
    }

    static ArchRule speaksOfNoPlatform(String enginePackage) {
        return classes()
                .that()
                .resideInAPackage(enginePackage + "..")
                .should(new PlatformWords())
                .because(
                        "any engine runs on any platform: what a platform's variables say, its reader says in the words of the"
                                + " SPI");
    }

    static ArchRule hasOnePublicType(String enginePackage) {
        return classes()
                .that()
                .resideInAPackage(enginePackage + "..")
                .and()
                .arePublic()
                .and()
                .areTopLevelClasses()
                .should()
                .implement("dev.muster.spi.Engine")
                .because("the engine itself is all that others may see of its module");
    }

    private static boolean hasEffects(JavaClass type) {
        if (HARMLESS.contains(type.getName())) {
            return false;
        }
        return FORBIDDEN_TYPES.contains(type.getName())
                || FORBIDDEN_PACKAGES.stream()
                        .anyMatch(name -> type.getPackageName().equals(name)
                                || type.getPackageName().startsWith(name + "."));
    }

    private static boolean asksClockOrDice(JavaAccess<?> access) {
        AccessTarget target = access.getTarget();
        String owner = target.getOwner().getName();
        return switch (target.getName()) {
            case "now" -> owner.startsWith("java.time.");
            case "random" -> owner.equals("java.lang.Math");
            case "randomUUID" -> owner.equals("java.util.UUID");
            case "wait" -> owner.equals("java.lang.Object");
            default -> false;
        };
    }
}
