package dev.muster.testkit;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The members of the JDK that have effects, or whose results depend on the machine. A member that is not listed as pure is impure. */
final class ImpureApi {

    private static final String JDK = "(java|javax|jdk|sun|com[.]sun|org[.]w3c|org[.]xml|org[.]ietf|netscape)[.].*";

    /** Packages whose types are pure, except for the members below. */
    private static final Set<String> PACKAGES = Set.of(
            "java.lang",
            "java.lang.annotation",
            "java.math",
            "java.nio",
            "java.nio.charset",
            "java.text",
            "java.time",
            "java.time.chrono",
            "java.time.format",
            "java.time.temporal",
            "java.time.zone",
            "java.util",
            "java.util.function",
            "java.util.regex",
            "java.util.stream");

    /** Pure types of other packages. */
    private static final Set<String> TYPES =
            words("java.io.Serializable java.io.ObjectStreamException java.io.IOException"
                    + " java.io.UncheckedIOException java.io.Reader java.io.StringReader java.io.BufferedReader java.io.Writer"
                    + " java.io.StringWriter java.io.ByteArrayInputStream java.io.ByteArrayOutputStream java.io.Closeable"
                    + " java.net.URI java.net.URLDecoder java.net.URLEncoder java.security.MessageDigest javax.crypto.Mac"
                    + " javax.crypto.spec.SecretKeySpec java.util.concurrent.atomic.AtomicInteger java.util.concurrent.atomic.AtomicLong"
                    + " java.security.NoSuchAlgorithmException java.util.concurrent.Callable java.util.concurrent.TimeUnit"
                    + " java.util.zip.Adler32 java.util.zip.CRC32 java.util.zip.CRC32C java.util.zip.Checksum");

    private static final Map<String, String> BY_PACKAGE = Map.of(
            "reads or writes files", "java.io java.nio.file java.nio.channels java.util.zip java.util.jar",
            "uses the network", "java.net java.net.http javax.net javax.net.ssl",
            "uses threads", "java.util.concurrent java.util.concurrent.atomic java.util.concurrent.locks",
            "is reflection", "java.lang.reflect java.lang.invoke sun.misc",
            "logs", "java.util.logging",
            "draws random numbers", "java.util.random");

    private static final Map<String, String> BY_TYPE = Map.of(
            "looks at the process or the machine",
            "java.lang.System java.lang.System$Logger java.lang.Runtime java.lang.StackWalker java.lang.Module"
                    + " java.lang.ModuleLayer java.lang.ClassLoader java.lang.Package java.lang.SecurityManager",
            "starts or asks processes",
            "java.lang.Process java.lang.ProcessBuilder java.lang.ProcessBuilder$Redirect java.lang.ProcessHandle"
                    + " java.lang.ProcessHandle$Info",
            "uses threads",
            "java.lang.Thread java.lang.ThreadGroup java.lang.ThreadLocal java.lang.InheritableThreadLocal"
                    + " java.util.Timer java.util.TimerTask java.lang.Thread$Builder java.lang.ScopedValue",
            "asks the clock",
            "java.time.Clock java.time.InstantSource java.util.Calendar java.util.Date java.util.GregorianCalendar",
            "draws random numbers",
            "java.util.Random java.util.SplittableRandom",
            "reads or loads something",
            "java.util.Formatter java.util.Scanner java.util.ServiceLoader java.util.ResourceBundle",
            "depends on the garbage collector",
            "java.util.WeakHashMap");

    /** Impure methods by TYPE.NAME, or by .NAME of any type. */
    private static final Map<String, String> BY_METHOD = Map.of(
            "asks the clock",
            "java.time.Instant.now java.time.LocalDate.now java.time.LocalTime.now java.time.LocalDateTime.now"
                    + " java.time.ZonedDateTime.now java.time.OffsetDateTime.now java.time.OffsetTime.now java.time.Year.now"
                    + " java.time.YearMonth.now java.time.MonthDay.now java.time.chrono.HijrahDate.now"
                    + " java.time.chrono.JapaneseDate.now java.time.chrono.MinguoDate.now"
                    + " java.time.chrono.ThaiBuddhistDate.now .dateNow",
            "draws random numbers",
            "java.lang.Math.random java.lang.StrictMath.random java.util.UUID.randomUUID java.util.Collections.shuffle",
            "uses threads",
            ".sleep .timedJoin .timedWait .parallel .parallelStream .parallelSetAll .parallelSort .parallelPrefix java.lang.Object.wait"
                    + " java.lang.Object.notify java.lang.Object.notifyAll",
            "asks what the machine is set to",
            ".getDefault java.util.Locale.setDefault java.util.TimeZone.setDefault .systemDefault"
                    + " java.nio.charset.Charset.defaultCharset"
                    + " java.lang.Integer.getInteger java.lang.Long.getLong java.lang.Boolean.getBoolean",
            "prints, or looks at the stack",
            ".printStackTrace .getStackTrace",
            "runs at the mercy of the garbage collector",
            "java.lang.Object.finalize");

    /** The pure methods of {@link Class}. Its other methods are reflection. */
    private static final Set<String> OF_CLASS = words("cast desiredAssertionStatus equals getEnumConstants getName"
            + " getPackageName getSimpleName getTypeName hashCode isEnum isInstance isRecord toString");

    /** The pure methods of a path. Its other methods ask the file system. */
    private static final Set<String> OF_PATH = words(
            "compareTo endsWith equals getFileName getName getNameCount getParent"
                    + " getRoot hashCode isAbsolute normalize of relativize resolve resolveSibling startsWith subpath toString");

    /** Conversions that use the machine's default: of bytes without a charset, and of values without a locale. */
    private static final Set<String> BY_DEFAULT = words("java.lang.String.getBytes() java.lang.String.<init>([B)"
            + " java.lang.String.<init>([B,int,int) java.lang.String.toLowerCase() java.lang.String.toUpperCase()"
            + " java.io.ByteArrayOutputStream.toString() java.net.URLEncoder.encode(java.lang.String)"
            + " java.net.URLDecoder.decode(java.lang.String) java.text.NumberFormat.getInstance()"
            + " java.text.NumberFormat.getNumberInstance() java.text.NumberFormat.getIntegerInstance()"
            + " java.text.NumberFormat.getPercentInstance() java.util.Locale.getDisplayName()"
            + " java.util.Locale.getDisplayCountry() java.util.Locale.getDisplayLanguage()"
            + " java.time.format.DateTimeFormatter.ofPattern(java.lang.String)");

    private ImpureApi() {}

    private static Set<String> words(String text) {
        return Set.of(text.split(" "));
    }

    static boolean isOfJdk(String type) {
        return type.matches(JDK);
    }

    /** Why an engine may not use a member of the JDK; empty: the member is pure. */
    static Optional<String> why(AccessTarget target) {
        String owner = target.getOwner().getName();
        if (TYPES.contains(owner) || owner.endsWith("Exception")) {
            return listed(BY_METHOD, List.of("." + target.getName())).or(() -> byDefault(owner, target));
        }
        if (owner.equals("java.nio.file.Path") && OF_PATH.contains(target.getName())) {
            return Optional.empty();
        }
        if (!PACKAGES.contains(target.getOwner().getPackageName())) {
            return listed(BY_PACKAGE, List.of(target.getOwner().getPackageName()))
                    .or(() -> Optional.of("is not known to compute only"));
        }
        if (owner.equals("java.lang.Class")) {
            return OF_CLASS.contains(target.getName()) ? Optional.empty() : Optional.of("is reflection");
        }
        return listed(BY_TYPE, List.of(owner))
                .or(() -> listed(BY_METHOD, List.of(owner + "." + target.getName(), "." + target.getName())))
                .or(() -> byDefault(owner, target));
    }

    private static Optional<String> listed(Map<String, String> table, List<String> names) {
        return table.entrySet().stream()
                .filter(row -> names.stream().anyMatch(words(row.getValue())::contains))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static Optional<String> byDefault(String owner, AccessTarget target) {
        if (!(target instanceof CodeUnitAccessTarget unit)) {
            return Optional.empty();
        }
        String types =
                unit.getRawParameterTypes().stream().map(type -> type.getName()).collect(Collectors.joining(","));
        return BY_DEFAULT.contains(owner + "." + target.getName() + "(" + types + ")")
                ? Optional.of("uses the charset or language that the machine is set to")
                : Optional.empty();
    }
}
