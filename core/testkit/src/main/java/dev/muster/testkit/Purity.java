package dev.muster.testkit;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.muster.spi.Engine;
import dev.muster.spi.Platform;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the byte code of an engine: every method, constructor, lambda, nested class and static initialiser of its package, and the code
 * that these reach in other packages and jars of the plugin. In such other classes only methods that are called count; if an object is
 * made, all methods of its class count.
 */
final class Purity {

    private static final String OF_SPI = "dev.muster.spi.";
    private static final String OF_MUSTER = "dev.muster.";
    private static final String RULES =
            "compute in the engine only; an Input asks the runtime for facts, a plan has it do things";

    private static final Set<String> ENDS =
            Set.of("java.lang.System.exit", "java.lang.Runtime.exit", "java.lang.Runtime.halt");
    /** Engines whose code does not end the JVM. */
    private static final Set<Class<?>> LASTING = ConcurrentHashMap.newKeySet();

    private final Class<?> engine;
    private final String enginePackage;
    private final Map<String, Optional<JavaClass>> classes = new HashMap<>();
    /** Code that is not checked yet. */
    private final Deque<JavaCodeUnit> open = new ArrayDeque<>();

    private final Map<String, String> ways = new HashMap<>();

    private Purity(Class<?> engine) {
        this.engine = engine;
        this.enginePackage = engine.getPackageName();
    }

    /** Fails if its code has effects. */
    static void check(Class<?> engine) {
        Purity purity = new Purity(engine);
        for (JavaClass type : purity.own()) {
            if (Engine.class.isAssignableFrom(engine) && !type.isAssignableTo(Platform.class)) {
                PlatformVariableCheck.check(type);
            }
            purity.checkVisibility(type);
            purity.startAll(type, "");
        }
        while (!purity.open.isEmpty()) {
            purity.check(purity.open.remove());
        }
    }

    /** Fails if it ends the JVM: then no test could report another rule. */
    static void checkEnds(Class<?> engine) {
        if (LASTING.contains(engine)) {
            return;
        }
        Purity purity = new Purity(engine);
        purity.own().stream()
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(call -> ENDS.contains(
                        call.getTargetOwner().getName() + "." + call.getTarget().getName()))
                .forEach(call -> purity.check(call, call.getOrigin().getFullName()));
        LASTING.add(engine);
    }

    private List<JavaClass> own() {
        URL home = engine.getProtectionDomain().getCodeSource().getLocation();
        List<JavaClass> own = imported(() -> new ClassFileImporter()
                .importUrl(home).stream().filter(this::isOwn).toList());
        own.forEach(type -> classes.put(type.getName(), Optional.of(type)));
        return own;
    }

    /** Variables that the engine may read: those that it owns, and all texts in its code that look like a variable's name. */
    static Set<String> variables(Engine engine) {
        Set<String> names = new TreeSet<>();
        engine.descriptor().ownedVariables().stream()
                .filter(name -> !name.endsWith("*"))
                .forEach(names::add);
        for (JavaClass type : new Purity(engine.getClass()).own()) {
            PlatformVariableCheck.texts(type).stream()
                    .filter(text -> text.matches("[A-Z][A-Z0-9_]{3,}"))
                    .forEach(names::add);
        }
        return names;
    }

    /** Imports classes without the classes of the JDK, of which the names are enough: to read them all takes seconds. */
    private static <T> T imported(Supplier<T> classes) {
        ArchConfiguration configuration = ArchConfiguration.get();
        boolean before = configuration.resolveMissingDependenciesFromClassPath();
        configuration.setResolveMissingDependenciesFromClassPath(false);
        try {
            return classes.get();
        } finally {
            configuration.setResolveMissingDependenciesFromClassPath(before);
        }
    }

    private boolean isOwn(JavaClass type) {
        return type.getPackageName().equals(enginePackage)
                || type.getPackageName().startsWith(enginePackage + ".");
    }

    private void checkVisibility(JavaClass type) {
        boolean isSeen = type.getPackageName().equals(enginePackage)
                && type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.isTopLevelClass()
                && !type.isAssignableTo(Engine.class)
                && !type.isAssignableTo(Platform.class);
        Rule.PURITY.require(
                !isSeen,
                type.getName(),
                "the class is public, and it is no engine",
                "make it package-private: the engine itself is all that others may see");
    }

    /** Adds all code of a class: any of its methods may be called on an object of it. */
    private void startAll(JavaClass type, String way) {
        type.getCodeUnits().forEach(unit -> start(unit, way));
        type.getStaticInitializer().ifPresent(unit -> start(unit, way));
    }

    private void start(JavaCodeUnit unit, String way) {
        if (ways.putIfAbsent(unit.getFullName(), way) == null) {
            open.add(unit);
        }
    }

    private void check(JavaCodeUnit unit) {
        String where = unit.getFullName() + ways.get(unit.getFullName());
        Rule.PURITY.require(
                !unit.getModifiers().contains(JavaModifier.NATIVE), where, "the method is native", "write it in Java");
        for (JavaAccess<?> access : unit.getAccessesFromSelf()) {
            check(
                    access,
                    where + " (" + access.getSourceCodeLocation().toString().replaceAll("[()]", "") + ")");
        }
    }

    private void check(JavaAccess<?> access, String where) {
        AccessTarget target = access.getTarget();
        String owner = target.getOwner().getName();
        if (access instanceof JavaFieldAccess field && field.getAccessType() == AccessType.SET) {
            checkState(field, where);
        }
        if (ImpureApi.isOfJdk(owner)) {
            Optional<String> why = ImpureApi.why(target);
            Rule.PURITY.require(
                    why.isEmpty(), where, "it uses " + target.getFullName() + ", which " + why.orElse(""), RULES);
        } else if (!owner.startsWith(OF_SPI) && !target.getOwner().isArray()) {
            follow(access, owner, where);
        }
    }

    /** No field may keep state between two calls. */
    private void checkState(JavaFieldAccess access, String where) {
        Optional<JavaField> field = access.getTarget().resolveMember();
        boolean isStatic = field.filter(each -> each.getModifiers().contains(JavaModifier.STATIC))
                .isPresent();
        boolean isAtStart = isStatic
                ? access.getOrigin().getName().equals("<clinit>")
                : access.getOrigin().isConstructor();
        boolean isKept = isStatic
                || field.filter(each -> each.getOwner().isAssignableTo(Engine.class)
                                || each.getOwner().isAssignableTo(Platform.class))
                        .isPresent();
        Rule.PURITY.require(
                isAtStart || !isKept,
                where,
                "it sets the field " + access.getTarget().getName() + ", which keeps state between calls",
                "compute it from the request each time, or set it once in a constructor or static initialiser");
    }

    private void follow(JavaAccess<?> access, String owner, String where) {
        Optional<JavaClass> type = type(owner);
        Rule.PURITY.require(
                !owner.startsWith(OF_MUSTER) || type.filter(this::isOwn).isPresent(),
                where,
                "it uses " + owner + ", which is Muster's own",
                "use dev.muster.spi only: a plugin sees nothing else of Muster");
        String way = ", reached from " + where;
        type.ifPresent(found -> {
            Stream.concat(Stream.of(found), found.getAllRawSuperclasses().stream())
                    .flatMap(above -> type(above.getName()).stream())
                    .flatMap(above -> above.getStaticInitializer().stream())
                    .forEach(unit -> start(unit, way));
            follow(access, found, way);
        });
    }

    private void follow(JavaAccess<?> access, JavaClass owner, String way) {
        String name = access.getTarget().getName();
        if (name.equals(JavaConstructor.CONSTRUCTOR_NAME)) {
            startAll(owner, way);
        }
        startNamed(owner, name, way);
    }

    /** Adds the methods of this name, also of superclasses, and default methods of interfaces. */
    private void startNamed(JavaClass type, String name, String way) {
        type.getCodeUnits().stream().filter(unit -> unit.getName().equals(name)).forEach(unit -> start(unit, way));
        Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())
                .flatMap(above -> type(above.getName()).stream())
                .forEach(above -> startNamed(above, name, way));
    }

    /** A class of the plugin; empty: the class is of the JDK or the SPI, or does not exist. */
    private Optional<JavaClass> type(String name) {
        return classes.computeIfAbsent(name, missing -> {
            @Nullable URL file = ImpureApi.isOfJdk(name) || name.startsWith(OF_SPI)
                    ? null
                    : engine.getClassLoader().getResource(name.replace('.', '/') + ".class");
            return file == null
                    ? Optional.empty()
                    : imported(() -> new ClassFileImporter()
                            .importUrl(file).stream()
                                    .filter(type -> type.getName().equals(name))
                                    .findFirst());
        });
    }
}
