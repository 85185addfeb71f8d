package dev.muster.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests of what engines share: the whole class runs once for one engine of every kind of plan, and {@link Scene#job} starts that engine.
 * Tests that are {@link OnEveryJdk} see the newest JDK with every engine but the first, and the others with that one.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ClassTemplate
@ExtendWith({EngineInvocations.class, Scenes.class})
@interface OnEveryEngine {

    /** Whether services are another case than ranks are. */
    boolean services() default true;
}
