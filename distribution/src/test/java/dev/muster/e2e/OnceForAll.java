package dev.muster.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test, in a class that is {@link OnEveryEngine}, of what is settled before an engine is asked anything, or after its plan has been run,
 * so that it is the same with all: it comes once, with the engine that {@link EngineUnderTest#hasOnlyTurn} tells. In {@code ./verify --torture} all have it.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(PlanInvocations.class)
@interface OnceForAll {}
