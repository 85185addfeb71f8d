package dev.muster.e2e;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Runs the tests of a class once for every engine. */
final class EngineInvocations implements ClassTemplateInvocationContextProvider {

    private static final Namespace NAMESPACE = Namespace.create(EngineInvocations.class);

    /** The engine of a running test; Ascend if the class is not {@link OnEveryEngine}. */
    static EngineUnderTest engine(ExtensionContext context) {
        return chosen(context).orElse(EngineUnderTest.ASCEND);
    }

    /** The engine of a running test; empty if the class is not {@link OnEveryEngine}. */
    static Optional<EngineUnderTest> chosen(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(NAMESPACE).get(EngineUnderTest.class, EngineUnderTest.class));
    }

    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(ExtensionContext context) {
        boolean services = context.getRequiredTestClass()
                .getAnnotation(OnEveryEngine.class)
                .services();
        return EngineUnderTest.ALL.stream()
                .filter(engine -> services || engine != EngineUnderTest.TENSORFLOW_PS)
                .map(EngineInvocation::new);
    }

    private record EngineInvocation(EngineUnderTest engine) implements ClassTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocationIndex) {
            return engine.id();
        }

        @Override
        public void prepareInvocation(ExtensionContext context) {
            engine.requireComponents();
            context.getStore(NAMESPACE).put(EngineUnderTest.class, engine);
        }
    }
}
