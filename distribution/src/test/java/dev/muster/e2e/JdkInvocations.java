package dev.muster.e2e;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a test on every JDK, or, with {@link OnOneJdk}, on one of them. */
final class JdkInvocations implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Optional<EngineUnderTest> engine = EngineInvocations.chosen(context);
        if (engine.filter(chosen -> !chosen.isFirst()).isPresent()) {
            return Stream.of(new JdkInvocation(Optional.empty()));
        }
        List<Jdk> jdks = engine.map(EngineUnderTest::jdks).orElse(Jdk.all());
        return inTurn(context.getRequiredTestMethod(), jdks).stream().map(jdk -> new JdkInvocation(Optional.of(jdk)));
    }

    private static List<Jdk> inTurn(Method test, List<Jdk> jdks) {
        if (!test.isAnnotationPresent(OnOneJdk.class) || Repetitions.isFull()) {
            return jdks;
        }
        return List.of(jdks.get(Math.floorMod(test.getName().hashCode(), jdks.size())));
    }

    /** @param jdk empty: the Java of the package */
    private record JdkInvocation(Optional<Jdk> jdk) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocationIndex) {
            return jdk.map(Jdk::toString).orElse("own Java");
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            BeforeEachCallback choose = context -> jdk.ifPresent(chosen -> Scenes.choose(context, chosen));
            return List.of(choose);
        }
    }
}
