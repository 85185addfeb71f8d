package dev.muster.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs once for every JDK. A plain test runs with the newest one. In a class with {@link OnEveryEngine}, {@link
 * EngineUnderTest#jdks} lists the JDKs: a JDK matters to the launcher, not to an engine.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(JdkInvocations.class)
@interface OnEveryJdk {}
