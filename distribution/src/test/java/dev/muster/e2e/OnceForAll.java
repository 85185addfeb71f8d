package dev.muster.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test in a class with {@link OnEveryEngine} whose result no plan can change. Examples: refusals before the engine is asked, and
 * the output of processes. It runs with the first engine only. In {@code ./verify --torture} it runs with all.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FirstInvocations.class)
@interface OnceForAll {}
