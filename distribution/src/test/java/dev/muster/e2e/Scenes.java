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
 * Gives every test its {@link Scene}, by default with the package that brings its own Java, and clears it away. A process that is left
 * over fails the test; a test that has failed says what its processes have printed.
 */
final class Scenes implements ParameterResolver, AfterEachCallback {

    /** Decides the JDK of a test that has not begun. */
    static void choose(ExtensionContext context, Jdk jdk) {
        store(context).put(Jdk.class, jdk);
    }

    /** A class may take its scene in its constructor: it is that of the one test for which it is made. */
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
