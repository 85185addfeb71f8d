package dev.muster.runtime.engines;

import dev.muster.runtime.engines.SpiReferences.Reference;
import dev.muster.spi.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Which words of the SPI a plugin's jar uses that the SPI of this Muster does not have. */
final class SpiWords {

    private static final Pattern TYPE = Pattern.compile("\\[*(?:L(?<name>[^;]+);|(?<primitive>[ZBCSIJFDV]))");

    private SpiWords() {}

    /**
     * The missing words as Java writes them, each once.
     *
     * @return empty, too, when the jar cannot be read or names no engine: whoever loads it says what is wrong with it
     */
    static Set<String> missing(Path jar) {
        Set<String> missing = new LinkedHashSet<>();
        try (ZipFile file = new ZipFile(jar.toFile())) {
            if (file.getEntry("META-INF/services/" + Engine.class.getName()) == null) {
                return Set.of();
            }
            for (ZipEntry entry : Collections.list(file.entries())) {
                if (entry.getName().endsWith(".class")) {
                    addMissing(file, entry, missing);
                }
            }
        } catch (IOException unreadable) {
            return Set.of();
        }
        return missing;
    }

    private static void addMissing(ZipFile file, ZipEntry entry, Set<String> missing) throws IOException {
        try (InputStream content = file.getInputStream(entry)) {
            for (Reference reference : SpiReferences.in(content.readAllBytes())) {
                if (!exists(reference)) {
                    missing.add(inWords(reference));
                }
            }
        }
    }

    private static boolean exists(Reference reference) {
        try {
            Class<?> owner = Class.forName(reference.owner().replace('/', '.'), false, SpiWords.class.getClassLoader());
            return reference.name().isEmpty() || has(owner, reference);
        } catch (ClassNotFoundException gone) {
            // Its members are told by the class, which class files name besides.
            return !reference.name().isEmpty();
        }
    }

    private static boolean has(Class<?> owner, Reference member) {
        for (Class<?> type : withParents(owner)) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(member.name())
                        && descriptor(method.getReturnType(), method.getParameterTypes())
                                .equals(member.type())) {
                    return true;
                }
            }
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(member.name())
                        && field.getType().descriptorString().equals(member.type())) {
                    return true;
                }
            }
        }
        for (Constructor<?> constructor : owner.getDeclaredConstructors()) {
            if (member.name().equals("<init>")
                    && descriptor(void.class, constructor.getParameterTypes()).equals(member.type())) {
                return true;
            }
        }
        return false;
    }

    /** Whatever a class can have its members from. */
    private static Set<Class<?>> withParents(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            all.add(each);
            for (Class<?> parent : each.getInterfaces()) {
                all.addAll(withParents(parent));
            }
        }
        all.add(Object.class);
        return all;
    }

    private static String descriptor(Class<?> result, Class<?>... parameters) {
        return MethodType.methodType(result, parameters).toMethodDescriptorString();
    }

    private static String inWords(Reference reference) {
        String owner = simple(reference.owner());
        if (reference.name().isEmpty()) {
            return owner;
        }
        int end = reference.type().lastIndexOf(')');
        String parameters = end < 0
                ? ""
                : "(" + String.join(", ", parameters(reference.type().substring(1, end))) + ")";
        return reference.name().equals("<init>")
                ? "new " + owner + parameters
                : owner + "." + reference.name() + parameters;
    }

    private static List<String> parameters(String types) {
        List<String> parameters = new ArrayList<>();
        Matcher type = TYPE.matcher(types);
        while (type.find()) {
            parameters.add(
                    type.group("name") == null ? primitive(type.group("primitive")) : simple(type.group("name")));
        }
        return parameters;
    }

    private static String primitive(String letter) {
        return MethodType.fromMethodDescriptorString("()" + letter, null)
                .returnType()
                .getName();
    }

    /** Without package, with a dot before the name of a class inside another. */
    private static String simple(String className) {
        return className.substring(className.lastIndexOf('/') + 1).replace('$', '.');
    }
}
