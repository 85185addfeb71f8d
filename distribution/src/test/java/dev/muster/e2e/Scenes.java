package dev.muster.e2e;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test its {@link Scene}, by default with the package that has its own Java, and removes it. A process that is left fails
 * the test. A failed test shows the output of its processes.
 */
final class Scenes implements ParameterResolver, AfterEachCallback {

    /** Sets the JDK of a test before it begins. */
    static void choose(ExtensionContext context, Jdk jdk) {
        store(context).put(Jdk.class, jdk);
    }

    /** A test class may take the scene in its constructor: JUnit makes one object per test. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Scene.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Optional<Jdk> chosen = Optional.ofNullable(store(context).get(Jdk.class, Jdk.class));
        Path home = chosen.isPresent() ? Product.home() : Product.usual();
        Scene scene = new Scene(home, chosen.orElse(Jdk.newest()), EngineInvocations.engine(context));
        store(context).put(Scene.class, scene);
        return scene;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Scene scene = store(context).remove(Scene.class, Scene.class);
        if (scene != null) {
            Optional<Throwable> failure = context.getExecutionException();
            failure.ifPresent(reason -> reason.addSuppressed(new AssertionError(scene.account())));
            scene.clear(failure.isPresent());
        }
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(Namespace.create(Scenes.class, context.getUniqueId()));
    }
}
