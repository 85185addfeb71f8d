package dev.muster.words;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.spi.Engine;
import dev.muster.testkit.EngineConformance;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The product stays within {@code budget.properties}, which gives the reason for each figure. */
@Tag(EngineConformance.ONE_JDK)
class BudgetTest {

    private static final Path ROOT = Path.of("..");

    @Test
    void theProductIsNotLargerThanItsBudget() throws IOException {
        Properties budget = new Properties();
        try (Reader file = Files.newBufferedReader(ROOT.resolve("budget.properties"))) {
            budget.load(file);
        }
        Map<String, Integer> sizes = ProductSize.of(ROOT);
        sizes.put("options", options());
        sizes.put("constructor.parameters", constructorParameters());

        List<String> wrong = new ArrayList<>();
        sizes.forEach((key, size) -> {
            String most = budget.getProperty(key);
            if (most == null || size > Integer.parseInt(most)) {
                wrong.add(key + " = " + size + ", budget " + most);
            }
        });
        assertThat(wrong).isEmpty();
    }

    private static int options() {
        int options = KnownOptions.ofMuster().options().size();
        for (Engine engine : ServiceLoader.load(Engine.class)) {
            options += engine.descriptor().options().size();
        }
        return options;
    }

    /** Of classes; a record has as many as it has parts. The compiler adds two to those of an enumeration. */
    private static int constructorParameters() {
        int most = 0;
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.muster")) {
            for (JavaConstructor constructor : type.isRecord() ? Set.<JavaConstructor>of() : type.getConstructors()) {
                int added = type.isEnum() ? 2 : 0;
                most = Math.max(most, constructor.getRawParameterTypes().size() - added);
            }
        }
        return most;
    }
}
