package dev.muster.spi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Whether a type may change between versions. It holds for nested types too.
 *
 * @since 0.1
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Stability(stable = true)
public @interface Stability {

    /**
     * Whether only a major version may change the type; other versions may add to it. Else each minor version may change the type, and
     * an engine that uses it must be built again.
     */
    boolean stable();
}
