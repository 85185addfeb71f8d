import static org.objectweb.asm.Opcodes.*;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.RecordComponentVisitor;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;
import org.objectweb.asm.commons.Remapper;

/**
 * PlainCode.java JAR: gives every lambda and method reference in a jar a class of its own, and every record the code of its
 * methods. The JDK else makes them at run time, when it first comes to the place: on JDK 17 that takes a sixth of a launch, even when the
 * class of a lambda is in the class-data archive. See docs/adr/0023.
 *
 * <p>The classes are members of the same nest, so that they may call what is private there; class files of before Java 11, which
 * know no nests, become such of 11. What can be serialised stays as it is.
 *
 * <p>What else takes the JDK long is left out of a launch, too: {@link StandIns}.
 */
final class PlainCode {

    static final int API = ASM9;
    /** In a class file. */
    private static final int VERSION_AT = 7;

    private static final int FIRST_WITH_NESTS = V11;
    private static final String CLASS = ".class";

    private final Map<String, byte[]> entries = new LinkedHashMap<>();
    private final Map<String, ZipEntry> origins = new LinkedHashMap<>();
    /** By the host of the nest. */
    private final Map<String, List<String>> members = new LinkedHashMap<>();

    public static void main(String[] arguments) throws IOException {
        Path jar = Path.of(arguments[0]);
        Path changed = Path.of(arguments[0] + ".new");
        PlainCode code = new PlainCode();
        code.read(jar);
        code.write(changed);
        Files.move(changed, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private void read(Path jar) throws IOException {
        try (ZipInputStream content = new ZipInputStream(new BufferedInputStream(Files.newInputStream(jar)))) {
            for (ZipEntry entry = content.getNextEntry(); entry != null; entry = content.getNextEntry()) {
                byte[] bytes = content.readAllBytes();
                entries.put(entry.getName(), bytes);
                origins.put(entry.getName(), entry);
                if (entry.getName().endsWith(CLASS)) {
                    entries.put(entry.getName(), plain(bytes, entry));
                }
            }
        }
        members.forEach((host, added) -> entries.compute(host + CLASS, (name, bytes) -> withMembers(bytes, added)));
    }

    /** With the times of the jar as it was, so that the same sources give the same bytes. */
    private void write(Path jar) throws IOException {
        try (ZipOutputStream content = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(jar)))) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setTimeLocal(origins.get(each.getKey()).getTimeLocal());
                content.putNextEntry(entry);
                content.write(each.getValue());
                content.closeEntry();
            }
        }
    }

    private byte[] plain(byte[] bytes, ZipEntry origin) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        Host host = new Host(writer, origin);
        StandIns standIns = new StandIns(host, reader.getClassName());
        reader.accept(standIns, 0);
        if (host.isChanged) {
            return withNests(writer.toByteArray());
        }
        return standIns.isUsed() ? writer.toByteArray() : bytes;
    }

    private static byte[] withNests(byte[] bytes) {
        bytes[VERSION_AT] = (byte) Math.max(bytes[VERSION_AT], FIRST_WITH_NESTS);
        return bytes;
    }

    private static byte[] withMembers(byte[] bytes, List<String> added) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new NestHost(writer, added), 0);
        return writer.toByteArray();
    }

    /** A class in which lambdas are made, or a record. */
    private final class Host extends ClassVisitor {

        private final ZipEntry origin;
        private String name = "";
        private String nestHost = "";
        private int made;
        private boolean isChanged;

        Host(ClassVisitor next, ZipEntry origin) {
            super(API, next);
            this.origin = origin;
        }

        @Override
        public void visit(int version, int access, String name, String generics, String parent, String[] interfaces) {
            this.name = name;
            this.nestHost = name;
            super.visit(version, access, name, generics, parent, interfaces);
        }

        @Override
        public void visitNestHost(String host) {
            nestHost = host;
            super.visitNestHost(host);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String generics, String[] thrown) {
            return new MethodVisitor(API, super.visitMethod(access, name, type, generics, thrown)) {
                @Override
                public void visitInvokeDynamicInsn(String name, String type, Handle bootstrap, Object... arguments) {
                    if (isLambda(bootstrap)) {
                        super.visitMethodInsn(INVOKESTATIC, add(name, type, arguments), LambdaClass.FACTORY, type, false);
                    } else if (bootstrap.getOwner().equals("java/lang/runtime/ObjectMethods")) {
                        super.visitMethodInsn(INVOKESTATIC, Host.this.name, add(name, arguments), type, false);
                    } else {
                        super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
                    }
                }
            };
        }

        /** Not the other one, for lambdas with more than one interface or method. */
        private boolean isLambda(Handle bootstrap) {
            return bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory")
                    && bootstrap.getName().equals("metafactory");
        }

        private String add(String method, Object[] arguments) {
            isChanged = true;
            return new RecordMethods(cv, name, arguments).add(method);
        }

        private String add(String method, String factory, Object[] arguments) {
            isChanged = true;
            String added = name + "$Lambda" + made++;
            LambdaClass lambda = new LambdaClass(added, method, factory, arguments);
            if (entries.put(added + CLASS, lambda.bytes(nestHost)) != null) {
                throw new IllegalStateException(added + " is there already");
            }
            origins.put(added + CLASS, origin);
            members.computeIfAbsent(nestHost, host -> new ArrayList<>()).add(added);
            return added;
        }
    }

    /** Names members of a nest where ASM wants them: behind other attributes, and before the first member of the class. */
    private static final class NestHost extends ClassVisitor {

        private final List<String> added;
        private boolean done;

        NestHost(ClassVisitor next, List<String> added) {
            super(API, next);
            this.added = added;
        }

        private void add() {
            if (!done) {
                done = true;
                added.forEach(super::visitNestMember);
            }
        }

        @Override
        public void visitInnerClass(String name, String outer, String simple, int access) {
            add();
            super.visitInnerClass(name, outer, simple, access);
        }

        @Override
        public RecordComponentVisitor visitRecordComponent(String name, String type, String generics) {
            add();
            return super.visitRecordComponent(name, type, generics);
        }

        @Override
        public FieldVisitor visitField(int access, String name, String type, String generics, Object value) {
            add();
            return super.visitField(access, name, type, generics, value);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String generics, String[] thrown) {
            add();
            return super.visitMethod(access, name, type, generics, thrown);
        }

        @Override
        public void visitEnd() {
            add();
            super.visitEnd();
        }
    }
}

/** Calls of the JDK that take it long, and of which the jar has its own. */
final class StandIns extends ClassRemapper {

    private static final String LOGGER = "java/util/logging/Logger";
    private static final String COMPARATOR = "java/util/Comparator";
    private static final String OWN = "dev/muster/Plain";
    private static final String ORDER = OWN + "Order";
    private static final String SCOPES = OWN + "Scopes";
    /** Of Guice, which classes outside of it do not know. */
    private static final String ERRORS = "Lcom/google/inject/internal/Errors;";

    /** Owner, name and type of what is called, and who has a static method that does the same. */
    private static final Map<String, String> OTHERS = Map.of(
            COMPARATOR + ".comparing(Ljava/util/function/Function;)L" + COMPARATOR + ";", ORDER,
            COMPARATOR + ".comparing(Ljava/util/function/Function;L" + COMPARATOR + ";)L" + COMPARATOR + ";", ORDER,
            COMPARATOR + ".thenComparing(L" + COMPARATOR + ";)L" + COMPARATOR + ";", ORDER,
            COMPARATOR + ".thenComparing(Ljava/util/function/Function;)L" + COMPARATOR + ";", ORDER,
            COMPARATOR + ".thenComparing(Ljava/util/function/Function;L" + COMPARATOR + ";)L" + COMPARATOR + ";", ORDER,
            "com/google/inject/internal/Annotations.isScopeAnnotation(Ljava/lang/Class;)Z", SCOPES,
            "com/google/inject/internal/Annotations.isRetainedAtRuntime(Ljava/lang/Class;)Z", SCOPES,
            "com/google/inject/internal/Annotations.checkForMisplacedScopeAnnotations"
                    + "(Ljava/lang/Class;Ljava/lang/Object;" + ERRORS + ")V", SCOPES);

    private final boolean isOwn;
    private final Loggers loggers;
    private boolean isUsed;

    StandIns(ClassVisitor next, String name) {
        this(next, name, new Loggers(name));
    }

    private StandIns(ClassVisitor next, String name, Loggers loggers) {
        super(PlainCode.API, next, loggers);
        this.loggers = loggers;
        isOwn = name.startsWith(OWN);
    }

    boolean isUsed() {
        return isUsed || loggers.isUsed;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String type, String generics, String[] thrown) {
        return new MethodVisitor(PlainCode.API, super.visitMethod(access, name, type, generics, thrown)) {
            @Override
            public void visitMethodInsn(int call, String owner, String name, String type, boolean isInterface) {
                String other = isOwn ? null : OTHERS.get(owner + "." + name + type);
                if (other == null) {
                    super.visitMethodInsn(call, owner, name, type, isInterface);
                } else {
                    isUsed = true;
                    String given = call == INVOKESTATIC ? type : "(L" + owner + ";" + type.substring(1);
                    super.visitMethodInsn(INVOKESTATIC, other, name, given.replace(ERRORS, "Ljava/lang/Object;"), false);
                }
            }
        };
    }

    /** Only libraries log. */
    private static final class Loggers extends Remapper {

        private final boolean isLibrary;
        private boolean isUsed;

        Loggers(String name) {
            super(PlainCode.API);
            isLibrary = name.startsWith("com/google/");
        }

        @Override
        public String map(String type) {
            boolean isLogger = isLibrary && type.equals(LOGGER);
            isUsed |= isLogger;
            return isLogger ? "dev/muster/LateLogger" : type;
        }
    }
}

/** The class of one lambda: what it has caught are its fields, and its one method calls what javac made of the lambda's body. */
final class LambdaClass {

    /** The static method that makes one. */
    static final String FACTORY = "of";

    private static final Type OBJECT = Type.getType(Object.class);
    private static final Type CHARACTER = Type.getType(Character.class);
    private static final String CONSTRUCTOR = "<init>";
    /** Of what catches nothing there is one only, as the JDK has it. */
    private static final String ONLY = "ONLY";

    private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    private final Type name;
    private final Method factory;
    private final Method constructor;
    private final Type[] caught;
    /** As the interface has it, and as this lambda is called. */
    private final Method declared;

    private final Type used;
    private final Handle body;

    /** @param arguments of the JDK's bootstrap method */
    LambdaClass(String name, String method, String factory, Object[] arguments) {
        this.name = Type.getObjectType(name);
        this.factory = new Method(FACTORY, factory);
        this.caught = this.factory.getArgumentTypes();
        this.constructor = new Method(CONSTRUCTOR, Type.VOID_TYPE, caught);
        this.declared = new Method(method, ((Type) arguments[0]).getDescriptor());
        this.body = (Handle) arguments[1];
        this.used = (Type) arguments[2];
    }

    byte[] bytes(String nestHost) {
        String[] interfaces = {factory.getReturnType().getInternalName()};
        writer.visit(V11, ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, name.getInternalName(), null, OBJECT.getInternalName(), interfaces);
        writer.visitNestHost(nestHost);
        addConstructor();
        if (caught.length == 0) {
            addOnly();
        }
        addFactory();
        addMethod();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private void addConstructor() {
        GeneratorAdapter code = begin(ACC_PRIVATE, constructor);
        code.loadThis();
        code.invokeConstructor(OBJECT, new Method(CONSTRUCTOR, "()V"));
        for (int i = 0; i < caught.length; i++) {
            writer.visitField(ACC_PRIVATE | ACC_FINAL, field(i), caught[i].getDescriptor(), null, null);
            code.loadThis();
            code.loadArg(i);
            code.putField(name, field(i), caught[i]);
        }
        end(code);
    }

    private void addOnly() {
        writer.visitField(ACC_PRIVATE | ACC_STATIC | ACC_FINAL, ONLY, name.getDescriptor(), null, null);
        GeneratorAdapter code = begin(ACC_STATIC, new Method("<clinit>", "()V"));
        make(code);
        code.putStatic(name, ONLY, name);
        end(code);
    }

    private void addFactory() {
        GeneratorAdapter code = begin(ACC_STATIC, factory);
        if (caught.length == 0) {
            code.getStatic(name, ONLY, name);
        } else {
            make(code);
        }
        end(code);
    }

    private void make(GeneratorAdapter code) {
        code.newInstance(name);
        code.dup();
        code.loadArgs();
        code.invokeConstructor(name, constructor);
    }

    private void addMethod() {
        GeneratorAdapter code = begin(ACC_PUBLIC, declared);
        boolean isConstructor = body.getTag() == H_NEWINVOKESPECIAL;
        Type owner = Type.getObjectType(body.getOwner());
        if (isConstructor) {
            code.newInstance(owner);
            code.dup();
        }
        loadArguments(code);
        code.visitMethodInsn(call(), body.getOwner(), body.getName(), body.getDesc(), body.isInterface());
        Type given = isConstructor ? owner : Type.getReturnType(body.getDesc());
        Type result = declared.getReturnType();
        if (result.getSort() != Type.VOID) {
            convert(code, given, given, isPrimitive(result) ? result : used.getReturnType());
        } else if (given.getSize() == 2) {
            code.pop2();
        } else if (given.getSize() == 1) {
            code.pop();
        }
        end(code);
    }

    /** What was caught, and then what the method is called with. */
    private void loadArguments(GeneratorAdapter code) {
        for (int i = 0; i < caught.length; i++) {
            code.loadThis();
            code.getField(name, field(i), caught[i]);
        }
        List<Type> wanted = new ArrayList<>();
        if (body.getTag() != H_INVOKESTATIC && body.getTag() != H_NEWINVOKESPECIAL) {
            wanted.add(Type.getObjectType(body.getOwner()));
        }
        wanted.addAll(List.of(Type.getArgumentTypes(body.getDesc())));
        Type[] given = declared.getArgumentTypes();
        for (int i = 0; i < given.length; i++) {
            code.loadArg(i);
            convert(code, given[i], used.getArgumentTypes()[i], wanted.get(caught.length + i));
        }
    }

    private int call() {
        return switch (body.getTag()) {
            case H_INVOKESTATIC -> INVOKESTATIC;
            case H_NEWINVOKESPECIAL -> INVOKESPECIAL;
            default -> body.isInterface() ? INVOKEINTERFACE : INVOKEVIRTUAL;
        };
    }

    /**
     * Makes what is wanted of what is on the stack, as the JDK does for a lambda.
     *
     * @param real what it is known to be: more than its type says, which is that of the interface's method
     */
    private static void convert(GeneratorAdapter code, Type type, Type real, Type wanted) {
        if (isPrimitive(type) && isPrimitive(wanted)) {
            code.cast(type, wanted);
        } else if (isPrimitive(type)) {
            code.valueOf(type);
        } else if (real.equals(CHARACTER) && isPrimitive(wanted)) {
            code.unbox(Type.CHAR_TYPE);
            code.cast(Type.CHAR_TYPE, wanted);
        } else if (isPrimitive(wanted)) {
            code.unbox(wanted);
        } else if (!type.equals(wanted)) {
            code.checkCast(wanted);
        }
    }

    private static boolean isPrimitive(Type type) {
        return type.getSort() < Type.ARRAY;
    }

    private static String field(int index) {
        return "caught" + index;
    }

    private GeneratorAdapter begin(int access, Method method) {
        GeneratorAdapter code = new GeneratorAdapter(access, method, null, null, writer);
        code.visitCode();
        return code;
    }

    private static void end(GeneratorAdapter code) {
        code.returnValue();
        code.endMethod();
    }
}

/** What a record's methods do, as static methods of it. */
final class RecordMethods {

    private static final String OBJECTS = "java/util/Objects";
    private static final String BUILDER = "java/lang/StringBuilder";
    /** Two values that take two places each, and a result. */
    private static final int STACK = 5;

    private final ClassVisitor type;
    private final String record;
    private final List<Handle> fields = new ArrayList<>();

    /** @param arguments of the JDK's bootstrap method: the record, the names of its fields, and the fields */
    RecordMethods(ClassVisitor type, String record, Object[] arguments) {
        this.type = type;
        this.record = record;
        for (int i = 2; i < arguments.length; i++) {
            fields.add((Handle) arguments[i]);
        }
    }

    /** The name of the added method. */
    String add(String method) {
        switch (method) {
            case "equals" -> addEquals(begin("plainEquals", "(L" + record + ";Ljava/lang/Object;)Z"));
            case "hashCode" -> addHashCode(begin("plainHashCode", "(L" + record + ";)I"));
            case "toString" -> addToString(begin("plainToString", "(L" + record + ";)Ljava/lang/String;"));
            default -> throw new IllegalStateException("a record has no method " + method);
        }
        return "plain" + Character.toUpperCase(method.charAt(0)) + method.substring(1);
    }

    private MethodVisitor begin(String name, String descriptor) {
        MethodVisitor code = type.visitMethod(ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC, name, descriptor, null, null);
        code.visitCode();
        return code;
    }

    private void addEquals(MethodVisitor code) {
        Label isOther = new Label();
        Label differs = new Label();
        code.visitVarInsn(ALOAD, 0);
        code.visitVarInsn(ALOAD, 1);
        code.visitJumpInsn(IF_ACMPNE, isOther);
        code.visitInsn(ICONST_1);
        code.visitInsn(IRETURN);
        code.visitLabel(isOther);
        code.visitFrame(F_SAME, 0, null, 0, null);
        code.visitVarInsn(ALOAD, 1);
        code.visitTypeInsn(INSTANCEOF, record);
        code.visitJumpInsn(IFEQ, differs);
        for (Handle field : fields) {
            get(code, 0, field);
            get(code, 1, field);
            compare(code, Type.getType(field.getDesc()), differs);
        }
        code.visitInsn(ICONST_1);
        code.visitInsn(IRETURN);
        code.visitLabel(differs);
        code.visitFrame(F_SAME, 0, null, 0, null);
        code.visitInsn(ICONST_0);
        end(code, IRETURN);
    }

    private static void compare(MethodVisitor code, Type type, Label differs) {
        switch (type.getSort()) {
            case Type.BOOLEAN, Type.BYTE, Type.CHAR, Type.SHORT, Type.INT -> code.visitJumpInsn(IF_ICMPNE, differs);
            case Type.LONG, Type.FLOAT, Type.DOUBLE -> {
                String both = type.getDescriptor() + type.getDescriptor();
                code.visitMethodInsn(INVOKESTATIC, box(type), "compare", "(" + both + ")I", false);
                code.visitJumpInsn(IFNE, differs);
            }
            default -> {
                String both = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                code.visitMethodInsn(INVOKESTATIC, OBJECTS, "equals", both, false);
                code.visitJumpInsn(IFEQ, differs);
            }
        }
    }

    private void addHashCode(MethodVisitor code) {
        code.visitInsn(ICONST_0);
        for (Handle field : fields) {
            Type type = Type.getType(field.getDesc());
            boolean isObject = type.getSort() >= Type.ARRAY;
            code.visitIntInsn(BIPUSH, 31);
            code.visitInsn(IMUL);
            get(code, 0, field);
            String descriptor = "(" + (isObject ? "Ljava/lang/Object;" : type.getDescriptor()) + ")I";
            code.visitMethodInsn(INVOKESTATIC, isObject ? OBJECTS : box(type), "hashCode", descriptor, false);
            code.visitInsn(IADD);
        }
        end(code, IRETURN);
    }

    private void addToString(MethodVisitor code) {
        code.visitTypeInsn(NEW, BUILDER);
        code.visitInsn(DUP);
        code.visitMethodInsn(INVOKESPECIAL, BUILDER, "<init>", "()V", false);
        String before = record.replaceFirst(".*[/$][0-9]*", "") + "[";
        for (Handle field : fields) {
            append(code, before + field.getName() + "=");
            get(code, 0, field);
            append(code, Type.getType(field.getDesc()));
            before = ", ";
        }
        append(code, fields.isEmpty() ? before + "]" : "]");
        code.visitMethodInsn(INVOKEVIRTUAL, BUILDER, "toString", "()Ljava/lang/String;", false);
        end(code, ARETURN);
    }

    private static void append(MethodVisitor code, String text) {
        code.visitLdcInsn(text);
        append(code, Type.getType(String.class));
    }

    private static void append(MethodVisitor code, Type type) {
        String taken =
                switch (type.getSort()) {
                    case Type.BYTE, Type.SHORT -> "I";
                    case Type.ARRAY, Type.OBJECT ->
                        type.getClassName().equals("java.lang.String") ? "Ljava/lang/String;" : "Ljava/lang/Object;";
                    default -> type.getDescriptor();
                };
        code.visitMethodInsn(INVOKEVIRTUAL, BUILDER, "append", "(" + taken + ")L" + BUILDER + ";", false);
    }

    private void get(MethodVisitor code, int variable, Handle field) {
        code.visitVarInsn(ALOAD, variable);
        if (variable > 0) {
            code.visitTypeInsn(CHECKCAST, record);
        }
        code.visitFieldInsn(GETFIELD, record, field.getName(), field.getDesc());
    }

    private static String box(Type type) {
        return switch (type.getSort()) {
            case Type.BOOLEAN -> "java/lang/Boolean";
            case Type.CHAR -> "java/lang/Character";
            case Type.BYTE -> "java/lang/Byte";
            case Type.SHORT -> "java/lang/Short";
            case Type.INT -> "java/lang/Integer";
            case Type.LONG -> "java/lang/Long";
            case Type.FLOAT -> "java/lang/Float";
            default -> "java/lang/Double";
        };
    }

    private static void end(MethodVisitor code, int instruction) {
        code.visitInsn(instruction);
        code.visitMaxs(STACK, 2);
        code.visitEnd();
    }
}
