package dev.muster;

import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Arrays;
import java.util.List;

/**
 * What Guice asks of a scope's annotation, known beforehand of its own two, of which it asks in every launch: the JDK would make a class for
 * each annotation that they have. The build puts it where Guice asks; see docs/adr/0023.
 */
public final class PlainScopes {

    private static final List<String> OWN = Arrays.asList("com.google.inject.Singleton", "jakarta.inject.Singleton");
    private static final List<String> SIGNS =
            Arrays.asList("com.google.inject.ScopeAnnotation", "jakarta.inject.Scope");

    private PlainScopes() {}

    public static boolean isScopeAnnotation(Class<? extends Annotation> type) {
        if (OWN.contains(type.getName())) {
            return true;
        }
        for (Annotation each : type.getAnnotations()) {
            if (SIGNS.contains(each.annotationType().getName())) {
                return true;
            }
        }
        return false;
    }

    /** Guice would warn of a type that is bound although a scope's annotation on it has no effect: the launcher binds none that has one. */
    public static void checkForMisplacedScopeAnnotations(Class<?> type, Object source, Object errors) {}

    public static boolean isRetainedAtRuntime(Class<? extends Annotation> type) {
        Retention retention = OWN.contains(type.getName()) ? null : type.getAnnotation(Retention.class);
        return OWN.contains(type.getName()) || (retention != null && retention.value() == RetentionPolicy.RUNTIME);
    }
}
