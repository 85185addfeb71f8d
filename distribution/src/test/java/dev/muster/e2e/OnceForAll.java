package dev.muster.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test, in a class that is {@link OnEveryEngine}, of what no word of a plan has a part in, so that it is the same with all: what is
 * settled before an engine is asked anything, what becomes of any process's output, or of any verdict's code. It comes once, with the
 * first. In {@code ./verify --torture} all have it.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FirstInvocations.class)
@interface OnceForAll {}
