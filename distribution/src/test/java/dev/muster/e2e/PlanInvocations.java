package dev.muster.e2e;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a test with the engines whose turn it is. */
final class PlanInvocations implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        EngineUnderTest engine = EngineInvocations.engine(context);
        Method test = context.getRequiredTestMethod();
        boolean hasTurn = test.isAnnotationPresent(OnceForAll.class)
                ? engine.hasOnlyTurn(test.getName())
                : engine.hasTurn(test.getName());
        return hasTurn ? Stream.of(new PlanInvocation(engine)) : Stream.empty();
    }

    private record PlanInvocation(EngineUnderTest engine) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocationIndex) {
            return engine.id();
        }
    }
}
