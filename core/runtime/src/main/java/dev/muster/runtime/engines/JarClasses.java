package dev.muster.runtime.engines;

import dev.muster.runtime.engines.SpiReferences.Reference;
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

/**
 * What the classes of a plugin's jar need, read from their files.
 *
 * @param java the oldest Java that can load all of them
 * @param missing the words of the SPI that they use and that the SPI of this Muster does not have, as Java writes them, each
 *     once
 */
record JarClasses(int java, Set<String> missing) {

    private static final Pattern TYPE = Pattern.compile("\\[*(?:L(?<name>[^;]+);|(?<primitive>[ZBCSIJFDV]))");

    /** The first two versions of Java had the number 45. */
    private static final int BEFORE_JAVA_1 = 44;

    private static final int VERSION_AT = 6;

    /** @return that they need nothing, too, when the jar cannot be read: whoever loads it says what is wrong with it */
    static JarClasses of(Path jar) {
        Set<String> missing = new LinkedHashSet<>();
        int java = 0;
        try (ZipFile file = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(file.entries())) {
                // What lies below META-INF/versions is for other versions of Java.
                if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
                    byte[] content = content(file, entry);
                    java = Math.max(java, java(content));
                    addMissing(content, missing);
                }
            }
        } catch (IOException unreadable) {
            return new JarClasses(java, Set.of());
        }
        return new JarClasses(java, missing);
    }

    private static byte[] content(ZipFile file, ZipEntry entry) throws IOException {
        try (InputStream content = file.getInputStream(entry)) {
            return content.readAllBytes();
        }
    }

    private static int java(byte[] classFile) {
        return classFile.length < VERSION_AT + 2
                ? 0
                : ((classFile[VERSION_AT] & 0xFF) << Byte.SIZE | (classFile[VERSION_AT + 1] & 0xFF)) - BEFORE_JAVA_1;
    }

    private static void addMissing(byte[] classFile, Set<String> missing) throws IOException {
        for (Reference reference : SpiReferences.in(classFile)) {
            if (!exists(reference)) {
                missing.add(inWords(reference));
            }
        }
    }

    private static boolean exists(Reference reference) {
        try {
            Class<?> owner =
                    Class.forName(reference.owner().replace('/', '.'), false, JarClasses.class.getClassLoader());
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
