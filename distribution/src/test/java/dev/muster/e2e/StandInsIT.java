package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** What the build has put into the jar in place of what takes the JDK long. */
class StandInsIT {

    @Test
    @DisplayName("libraries have no logger of the JDK, and everything that stands in for the JDK's is there")
    void whatStandsInForTheJdkIsThere() throws IOException, ReflectiveOperationException {
        Set<String> called = new TreeSet<>();
        try (JarFile jar = new JarFile(Product.jar().toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().endsWith(".class")) {
                    try (InputStream file = jar.getInputStream(entry)) {
                        new ClassReader(file).accept(new CalledMethods(called), 0);
                    }
                }
            }
        }
        assertThat(called)
                .noneMatch(method -> method.startsWith("com/google/") && method.contains(" java/util/logging/Logger."))
                .anyMatch(method -> method.contains(" dev/muster/LateLogger."))
                .anyMatch(method -> method.contains(" dev/muster/PlainOrder."))
                .anyMatch(method -> method.contains(" dev/muster/PlainScopes."));
        URL[] places = {Product.jar().toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
            for (String method : called) {
                String[] words = method.split("[ .]", -1);
                if (words[1].matches("dev/muster/(LateLogger|Plain(Order|Scopes))")) {
                    Class<?> owner = Class.forName(words[1].replace('/', '.'), true, loader);
                    assertThat(owner.getDeclaredMethods())
                            .extracting(each -> each.getName() + Type.getMethodDescriptor(each))
                            .as(method)
                            .contains(words[2]);
                }
            }
        }
    }

    /** Who calls what, as {@code CALLER OWNER.NAME}, with the type behind it. Constructors have no names. */
    private static final class CalledMethods extends ClassVisitor {

        private final Set<String> called;
        private String caller = "";

        CalledMethods(Set<String> called) {
            super(Opcodes.ASM9);
            this.called = called;
        }

        @Override
        public void visit(int version, int access, String name, String generics, String parent, String[] interfaces) {
            caller = name;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String generics, String[] thrown) {
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int call, String owner, String name, String type, boolean isInterface) {
                    if (!name.startsWith("<")) {
                        called.add(caller + " " + owner + "." + name + type);
                    }
                }
            };
        }
    }
}
