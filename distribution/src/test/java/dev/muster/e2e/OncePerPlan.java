package dev.muster.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test, in a class that is {@link OnEveryEngine}, that comes once for all engines that use the same words in their plans: they take
 * turns, as {@link EngineUnderTest#hasTurn} tells. In {@code ./verify --torture} all have it.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(PlanInvocations.class)
@interface OncePerPlan {}
