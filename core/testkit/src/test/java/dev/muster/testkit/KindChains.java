package dev.muster.testkit;

import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Methods that ask of which kind something of a sealed type of the SPI is, kind after kind, and have an answer for the rest: nobody notices
 * there that a kind came that they do not know. A question about one kind is none.
 */
final class KindChains extends ArchCondition<JavaClass> {

    KindChains() {
        super("fold over sealed types instead of asking for one kind after another");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        Map<String, TreeSet<String>> kinds = new TreeMap<>();
        List<InstanceofCheck> checks = new ArrayList<>(type.getInstanceofChecks());
        checks.sort(Comparator.comparing(check -> check.getRawType().getName()));
        for (InstanceofCheck check : checks) {
            for (JavaClass of : check.getRawType().getAllRawInterfaces()) {
                if (of.getPackageName().equals("dev.muster.spi") && of.reflect().isSealed()) {
                    kinds.computeIfAbsent(
                                    check.getOwner().getFullName() + " asks for kinds of " + of.getSimpleName(),
                                    where -> new TreeSet<>())
                            .add(check.getRawType().getSimpleName());
                }
            }
        }
        kinds.forEach((where, asked) -> {
            if (asked.size() > 1) {
                events.add(SimpleConditionEvent.violated(type, where + ": " + String.join(", ", asked)));
            }
        });
    }
}
