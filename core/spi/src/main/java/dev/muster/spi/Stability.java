package dev.muster.spi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What an engine's author may rely on. It holds for the types within, too.
 *
 * @since 0.1
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Stability(stable = true)
public @interface Stability {

    /**
     * Whether the type stays as it is until the next major version, which may add to it. Else each minor version may change it, and an
     * engine that uses it has to be built again.
     */
    boolean stable();
}
