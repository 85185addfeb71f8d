package dev.muster.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test whose {@link Scene} comes once for every JDK; that of a plain test has the newest one. Where the class is {@link
 * OnEveryEngine}, {@link EngineUnderTest#jdks} tells: a JDK matters to the launcher, not to an engine.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(JdkInvocations.class)
@interface OnEveryJdk {}
