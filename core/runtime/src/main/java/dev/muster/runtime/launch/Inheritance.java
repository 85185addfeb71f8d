package dev.muster.runtime.launch;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.process.InheritedEnvironment;

/** How processes come to an environment: by changes of this JVM's own. */
public final class Inheritance {

    private Inheritance() {}

    /** What changes this JVM's environment to another one. */
    public static InheritedEnvironment of(Environment environment) {
        return new InheritedEnvironment(environment.restored(), environment.dropped());
    }
}
