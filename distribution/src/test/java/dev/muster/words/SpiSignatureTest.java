package dev.muster.words;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.muster.spi.Engine;
import dev.muster.spi.Stability;
import dev.muster.testkit.EngineConformance;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What plugins can use is what {@code core/spi/signatures.txt} lists: no change of it goes unseen. */
@Tag(EngineConformance.ONE_JDK)
class SpiSignatureTest {

    private static final Path LISTED = Path.of("../core/spi/signatures.txt");
    private static final Path FOUND = Path.of("target/signatures.txt");

    /** What all records and enums have. */
    private static final Set<String> OF_ALL = Set.of("equals", "hashCode", "toString", "values", "valueOf");

    @Test
    void theSpiIsWhatItsListSays() throws IOException {
        Set<String> lines = new TreeSet<>();
        types().forEach(type -> addTo(lines, type));
        Files.write(FOUND, lines);
        assertThat(lines)
                .as("a change that is wanted: cp distribution/%s core/spi/signatures.txt", FOUND)
                .containsExactlyElementsOf(Files.readAllLines(LISTED));
    }

    private static List<Class<?>> types() {
        List<Class<?>> types = new ArrayList<>();
        for (JavaClass type : new ClassFileImporter().importPackages(Engine.class.getPackageName())) {
            Class<?> loaded = type.reflect();
            if (Modifier.isPublic(loaded.getModifiers())) {
                types.add(loaded);
            }
        }
        return types;
    }

    private static void addTo(Set<String> lines, Class<?> type) {
        String name = text(type);
        lines.add(name + stability(type));
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers())) {
                lines.add(name + "." + field.getName() + ": " + text(field.getGenericType()));
            }
        }
        for (Constructor<?> constructor : type.getConstructors()) {
            lines.add(name + ".new" + parameters(constructor));
        }
        for (Method method : type.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers())
                    && !method.isSynthetic()
                    && !OF_ALL.contains(method.getName())) {
                lines.add(name + "." + method.getName() + parameters(method) + ": "
                        + text(method.getGenericReturnType()) + modifiers(method));
            }
        }
    }

    /** A type within another one has no mark of its own. */
    private static String stability(Class<?> type) {
        Stability mark = type.getAnnotation(Stability.class);
        if (mark == null) {
            assertThat(type.isMemberClass())
                    .as("%s is marked by Stability", type)
                    .isTrue();
            return "";
        }
        return mark.stable() ? "" : ", experimental";
    }

    @Test
    void eachTypeSaysSinceWhenItIsThere() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../core/spi/src/main/java/dev/muster/spi"))) {
            assertThat(files.filter(file -> !file.endsWith("package-info.java")))
                    .allSatisfy(
                            file -> assertThat(file).content().containsPattern("(?s)@since 0\\.[0-9].*\n@Stability"));
        }
    }

    private static String modifiers(Method method) {
        return (Modifier.isStatic(method.getModifiers()) ? ", static" : "")
                + (method.isDefault() ? ", default" : "")
                + Arrays.stream(method.getExceptionTypes())
                        .map(type -> ", throws " + text(type))
                        .collect(Collectors.joining());
    }

    private static String parameters(Executable executable) {
        return Arrays.stream(executable.getGenericParameterTypes())
                .map(SpiSignatureTest::text)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String text(Type type) {
        return type.getTypeName().replace("dev.muster.spi.", "").replaceAll("java\\.(util|lang|time)\\.", "");
    }
}
