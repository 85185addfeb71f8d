package dev.muster.e2e;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a test with the first engine. */
final class FirstInvocations implements TestTemplateInvocationContextProvider {

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
        return engine.isFirst() || Repetitions.isFull() ? Stream.of(new FirstInvocation(engine)) : Stream.empty();
    }

    private record FirstInvocation(EngineUnderTest engine) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocationIndex) {
            return engine.id();
        }
    }
}
