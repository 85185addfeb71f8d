package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Secret;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.files.Trust;
import dev.muster.runtime.link.LinkKey;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.OptionValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Finds the secret of the link: the user's, else a key that the job has anyway, else the job's id. */
final class LinkKeys {

    /** For plans and notes. */
    static final String OF_JOB_ID =
            "the job's id: whoever knows it and reaches the port can end the job, unless there is a --link-secret";

    private static final int SHORT = 16;
    private static final long LONGEST = 1024 * 1024;

    private final Settings settings;
    private final ProcessInfo processInfo;
    private final Consumer<String> warn;

    /** Keys by the key file of the launchers: the plans of all nodes ask for the same key. */
    private final Map<Optional<String>, LinkKey> found = new HashMap<>();

    LinkKeys(Settings settings, ProcessInfo processInfo, Consumer<String> warn) {
        this.settings = settings;
        this.processInfo = processInfo;
        this.warn = warn;
    }

    /** Whether the user gives a secret. */
    boolean isGiven() {
        return settings.given(OptionTable.LINK_SECRET).isPresent()
                || processInfo.linkSecret().isPresent();
    }

    /**
     * The key of the job's link.
     *
     * @throws MusterException when the user's secret is not usable, or others can read or change it
     */
    LinkKey of(LauncherNodes launchers, ResolvedJob resolved) {
        return found.computeIfAbsent(launchers.keyFile(), file -> find(launchers, resolved));
    }

    private LinkKey find(LauncherNodes launchers, ResolvedJob resolved) {
        launchers.keyFile().map(Path::of).ifPresent(this::requireTrustOfJobs);
        if (isGiven()) {
            return given();
        }
        if (launchers.keyFile().isPresent()) {
            String file = launchers.keyFile().get();
            return LinkKey.ofFile(Path.of(file), "the job's key " + file);
        }
        if (resolved.platform().info().linkKey().isPresent()) {
            OptionValue file = resolved.platform().info().linkKey().get();
            return LinkKey.ofFile(Path.of(file.value()), file.origin());
        }
        return LinkKey.known(resolved.jobId().getBytes(StandardCharsets.UTF_8), OF_JOB_ID);
    }

    /** The command line wins over the variable, and the variable wins over the configuration file. */
    private LinkKey given() {
        Optional<Setting> setting = settings.given(OptionTable.LINK_SECRET);
        boolean isFlag = setting.isPresent() && setting.get().source() == Setting.Source.COMMAND_LINE;
        Optional<Secret> variable = isFlag ? Optional.empty() : processInfo.linkSecret();
        return variable.isPresent()
                ? ofVariable(variable.get().reveal())
                : ofFile(
                        Path.of(setting.orElseThrow().value()),
                        setting.orElseThrow().origin());
    }

    /** Kubernetes gives a Secret as a variable or as a file. */
    private LinkKey ofVariable(String text) {
        if (!text.startsWith("/")) {
            return checked(text.getBytes(StandardCharsets.UTF_8), ProcessInfo.LINK_SECRET);
        }
        if (ReadableFiles.path(text).filter(Files::exists).isPresent()) {
            return ofFile(Path.of(text), ProcessInfo.LINK_SECRET);
        }
        // The text may be the secret itself, so no message shows it.
        throw MusterException.configuration(ProcessInfo.LINK_SECRET
                + " begins with / and names no file here. Give the path of a file, or a secret that begins otherwise");
    }

    private LinkKey ofFile(Path file, String origin) {
        String name = origin + ": " + Printable.escape(file.toString());
        try {
            if (!Files.isRegularFile(file)) {
                // If there is no such file, the name may be the secret itself.
                throw MusterException.configuration(
                        (Files.exists(file) ? name + " is not a regular file" : origin + ": the file does not exist")
                                + ". Name a file that holds the secret, the same on every node");
            }
            require(Trust.ofKey(file), name, ", or in Kubernetes defaultMode: 0400 for the Secret's volume");
            if (Files.size(file) > LONGEST) {
                throw MusterException.configuration(name + " is larger than 1 MiB. Name a file that holds the secret");
            }
            return checked(Files.readAllBytes(file), name);
        } catch (IOException unreadable) {
            throw MusterException.configuration(name + " cannot be read: " + IoReasons.of(unreadable));
        }
    }

    /** Whoever can write this file could join the job's link. */
    private void require(Trust.Judgement judgement, String name, String also) {
        judgement.refusal().ifPresent(flaw -> {
            throw MusterException.configuration(
                    name + " is not used: " + flaw.sentence() + ". Use: " + flaw.remedy() + also);
        });
        judgement.warnings().forEach(flaw -> warn.accept(name + ": " + flaw.sentence()));
    }

    /** Checks the key file of the plan, too: the job's nodes accept each other by it. */
    private void requireTrustOfJobs(Path key) {
        String name = "the job's key " + Printable.escape(key.toString()) + origin(key);
        // The simulation that started this launcher made the directories.
        boolean isSimulated = processInfo.environment().variables().containsKey(RunMarker.VARIABLE);
        try {
            require(isSimulated ? Trust.ofKeyAlone(key) : Trust.ofKey(key), name, "");
        } catch (NoSuchFileException notYet) {
            // The reader of the file reports that it is missing.
        } catch (IOException unreadable) {
            throw MusterException.configuration(name + " cannot be looked at: " + IoReasons.of(unreadable));
        }
    }

    /** The option that named the file, for messages. */
    private String origin(Path key) {
        Optional<OptionValue> named = settings.engineOptions().values().stream()
                .filter(option -> option.value().equals(key.toString()))
                .findFirst();
        return named.map(option -> " (" + option.origin() + ")").orElse("");
    }

    private LinkKey checked(byte[] secret, String origin) {
        int length = LinkKey.withoutLineEnd(secret).length;
        if (length == 0) {
            throw MusterException.configuration(
                    Printable.escape(origin) + " is empty. Put a secret there, the same on every node");
        }
        if (length < SHORT) {
            warn.accept(Printable.escape(origin) + ": a secret of " + length + " bytes can be guessed; "
                    + "openssl rand -hex 32 makes a good one");
        }
        return LinkKey.known(secret, origin);
    }
}
