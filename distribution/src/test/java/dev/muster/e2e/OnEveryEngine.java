package dev.muster.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A class of tests that runs once for each engine of {@link EngineUnderTest}. {@link Scene#job} uses that engine. Tests with {@link
 * OnEveryJdk} run with several JDKs for the first engine, and with the newest one for the others.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ClassTemplate
@ExtendWith({EngineInvocations.class, Scenes.class})
@interface OnEveryEngine {

    /** Whether the class also runs for {@code tensorflow-ps}, whose plans have services. */
    boolean services() default true;
}
