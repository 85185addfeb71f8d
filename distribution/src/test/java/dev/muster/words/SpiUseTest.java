package dev.muster.words;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitReference;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.muster.spi.CardChoice;
import dev.muster.spi.Condition;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.RequiredPort;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.Value;
import dev.muster.testkit.EngineConformance;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No word of the SPI that no engine says, and no fact that no engine asks for. */
@Tag(EngineConformance.ONE_JDK)
class SpiUseTest {

    private static final JavaClasses ENGINES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.muster.engine");

    /** Kinds that engines get from constants, factories and other words, not by their class. */
    private static final Map<Class<?>, List<String>> OTHER_WAYS = Map.of(
            ProcessSpec.Task.class, List.of(of(ProcessSpec.class, "task")),
            ProcessSpec.Service.class, List.of(of(ProcessSpec.class, "service")),
            ProcessSpec.Hook.class, List.of(of(ProcessSpec.class, "hook")));

    /** Facts that engines ask for by a question of their own. */
    private static final Map<String, String> OTHER_QUESTIONS =
            Map.of(of(JobSpec.class, "options"), of(JobSpec.class, "option"));

    /** Other words and the runtime say them, or engines of others: options that are switches or durations. */
    private static final Set<String> UNSAID = Set.of(
            of(EngineOption.Kind.class, "CHOICE"),
            of(EngineOption.Kind.class, "COUNT"),
            of(EngineOption.Kind.class, "DURATION"),
            of(EngineOption.Kind.class, "SWITCH"),
            of(NodeProvision.class, "withTemporaryDirectories"),
            of(PlanException.Kind.class, "CONFIGURATION"),
            of(PlanException.Kind.class, "UNAVAILABLE"),
            of(ProcessSpec.Task.class, "withLaunch"),
            of(ProcessSpec.Service.class, "withLaunch"),
            of(ProcessSpec.Hook.class, "withLaunch"));

    private static final List<Class<?>> PROCESSES =
            List.of(ProcessSpec.Task.class, ProcessSpec.Service.class, ProcessSpec.Hook.class);

    private final Set<String> used = new HashSet<>();

    SpiUseTest() {
        for (JavaClass engine : ENGINES) {
            for (JavaAccess<?> access : engine.getAccessesFromSelf()) {
                used.add(access.getTargetOwner().getName() + "." + access.getName());
            }
            for (JavaCodeUnitReference<?> reference : engine.getCodeUnitReferencesFromSelf()) {
                used.add(reference.getTargetOwner().getName() + "." + reference.getName());
            }
            for (Dependency dependency : engine.getDirectDependenciesFromSelf()) {
                used.add(dependency.getTargetClass().getName());
            }
        }
    }

    @Test
    void everyKindIsOfUse() {
        List<Class<?>> unused = new ArrayList<>();
        for (Class<?> type : List.of(Input.class, InputValue.class, ProcessSpec.class)) {
            for (Class<?> kind : kinds(type)) {
                boolean isUsed = used.contains(kind.getName())
                        || OTHER_WAYS.getOrDefault(kind, List.of()).stream().anyMatch(used::contains);
                if (!isUsed) {
                    unused.add(kind);
                }
            }
        }
        assertThat(unused).isEmpty();
    }

    private static List<Class<?>> kinds(Class<?> family) {
        return Stream.of(family.getDeclaredClasses())
                .filter(kind -> kind.isRecord() || family.isSealed())
                .toList();
    }

    /** What a record holds comes by builders and words: a part more must not break those who leave it out. */
    @Test
    void noRecordHasAConstructorThatLeavesPartsOut() {
        List<String> grown = new ArrayList<>();
        for (JavaClass type : new ClassFileImporter().importPackages("dev.muster.spi")) {
            Class<?> loaded = type.reflect();
            if (loaded.isRecord()) {
                for (Constructor<?> constructor : loaded.getDeclaredConstructors()) {
                    if (constructor.getParameterCount() < loaded.getRecordComponents().length) {
                        grown.add(constructor.toString());
                    }
                }
            }
        }
        assertThat(grown).isEmpty();
    }

    @Test
    void everyWordIsSaid() {
        List<String> unsaid = new ArrayList<>();
        for (Class<?> builder : List.of(
                LaunchPlan.Builder.class,
                ProcessSpec.Task.class,
                ProcessSpec.Service.class,
                ProcessSpec.Hook.class,
                EngineDescriptor.class,
                NodeProvision.class,
                Value.class,
                Condition.class,
                Outcome.class,
                RequiredDirectory.class,
                RequiredPort.class,
                EngineOption.class,
                LauncherNodes.class,
                Note.class)) {
            for (Method method : builder.getDeclaredMethods()) {
                boolean isWord = method.getReturnType() == builder
                        && Modifier.isPublic(method.getModifiers())
                        && !method.isSynthetic();
                if (isWord && !isSaid(builder, method.getName())) {
                    unsaid.add(of(builder, method.getName()));
                }
            }
        }
        for (Class<?> choice : List.of(EngineOption.Kind.class, PlanException.Kind.class)) {
            for (Object constant : choice.getEnumConstants()) {
                if (!used.contains(of(choice, ((Enum<?>) constant).name()))) {
                    unsaid.add(of(choice, ((Enum<?>) constant).name()));
                }
            }
        }
        assertThat(unsaid).containsExactlyInAnyOrderElementsOf(UNSAID);
    }

    /** One thing or several of a kind are one word, and what all processes have is one. */
    private boolean isSaid(Class<?> builder, String word) {
        List<Class<?>> family = PROCESSES.contains(builder) ? PROCESSES : List.of(builder);
        return family.stream()
                .flatMap(
                        each -> Stream.of(word, word + "s", word.replaceFirst("s$", ""), word.replaceFirst("y$", "ies"))
                                .map(form -> of(each, form)))
                .anyMatch(used::contains);
    }

    @Test
    void everyFactIsAskedFor() {
        List<String> unasked = new ArrayList<>();
        for (Class<?> facts : List.of(
                JobSpec.class,
                Node.class,
                NodeInfo.class,
                CardChoice.class,
                Host.class,
                OptionValue.class,
                JobDirectories.class,
                PlatformContract.class,
                SimulatedCluster.class,
                SimulatedCluster.SimulatedNode.class,
                InputValue.Json.class,
                InputValue.Text.class,
                InputValue.Program.class,
                InputValue.CommandOutput.class)) {
            for (RecordComponent fact : facts.getRecordComponents()) {
                String name = of(facts, fact.getName());
                if (!used.contains(name) && !used.contains(OTHER_QUESTIONS.getOrDefault(name, name))) {
                    unasked.add(name);
                }
            }
        }
        assertThat(unasked).isEmpty();
    }

    private static String of(Class<?> owner, String member) {
        return owner.getName() + "." + member;
    }
}
