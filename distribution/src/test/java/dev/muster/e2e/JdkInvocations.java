package dev.muster.e2e;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a test once for every JDK. */
final class JdkInvocations implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        boolean all = EngineInvocations.engine(context) == EngineUnderTest.ALL.get(0);
        return (all ? Jdk.all() : List.of(Jdk.newest())).stream().map(JdkInvocation::new);
    }

    private record JdkInvocation(Jdk jdk) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocationIndex) {
            return jdk.toString();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            BeforeEachCallback choose = context -> Scenes.choose(context, jdk);
            return List.of(choose);
        }
    }
}
