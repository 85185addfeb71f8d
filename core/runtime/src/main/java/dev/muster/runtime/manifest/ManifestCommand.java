package dev.muster.runtime.manifest;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.ShellQuotes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** {@code muster manifest}: prints the template of a platform's page with the values of a job. It writes and starts nothing. */
public final class ManifestCommand {

    /** A name of DNS-1035, short enough for what Kubernetes and Volcano append to it for a pod's host name. */
    private static final Pattern DNS_NAME = Pattern.compile("[a-z]([-a-z0-9]{0,48}[a-z0-9])?");

    private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]*");

    private static final String GPUS = "nvidia.com/gpu";
    private static final String NPUS = "huawei.com/Ascend910";
    private static final String ASCEND = "ascend";
    /** An option of engine ascend, and the variable of MindX DL that it comes from. */
    private static final String FRAMEWORK = "framework";

    /** The boot scripts of MindX DL compare the values of their variable with these. */
    private static final Map<String, String> FRAMEWORKS =
            Map.of("tensorflow", "Tensorflow", "pytorch", "PyTorch", "mindspore", "MindSpore");

    /** Options that the manifest expresses itself, or that have no meaning in it. */
    private static final Set<Option> LEFT_OUT = Set.of(
            OptionTable.ENGINE,
            OptionTable.PLATFORM,
            OptionTable.NODES,
            OptionTable.CARDS,
            OptionTable.GRACE,
            OptionTable.JOB_ID,
            OptionTable.IMAGE);

    private final Invocation invocation;
    private final Settings settings;
    private final ManifestPlatform platform;

    private ManifestCommand(Invocation invocation) {
        this.invocation = invocation;
        this.settings = invocation.settings();
        this.platform = ManifestPlatform.of(settings.given(OptionTable.PLATFORM));
    }

    /** @return the exit code */
    public static int run(Invocation invocation) {
        return StandardOutput.write(new ManifestCommand(invocation).text()) ? 0 : ExitCode.UNAVAILABLE.code();
    }

    private String text() {
        require(OptionTable.NODES, true);
        require(OptionTable.JOB_ID, true);
        require(OptionTable.IMAGE, platform.hasPods());
        require(OptionTable.CARDS, platform.needsCards());
        check(OptionTable.IMAGE, IMAGE, "is not the name of an image, such as registry.example.com/train:1");
        if (platform.hasPods()) {
            check(
                    OptionTable.JOB_ID,
                    DNS_NAME,
                    "cannot be the name of a job there: small letters, digits and dashes, beginning with a letter, not "
                            + "ending with a dash, at most 50");
        }
        return platform.template().fill(values(), words());
    }

    private void require(Option option, boolean isRequired) {
        if (isRequired && settings.find(option).isEmpty()) {
            throw MusterException.usage(
                    "a manifest for " + platform.word() + " needs " + option.usage() + ": " + option.help());
        }
    }

    private void check(Option option, Pattern form, String problem) {
        Optional<Setting> setting = settings.find(option);
        if (setting.isPresent() && !form.matcher(setting.get().value()).matches()) {
            throw Settings.refusal(setting.get(), problem);
        }
    }

    private Map<String, String> values() {
        Optional<Duration> grace = settings.given(OptionTable.GRACE).map(given -> settings.duration(OptionTable.GRACE));
        List<String> line = line(grace);
        String notice = Long.toString(platform.notice(grace).plusMillis(999).toSeconds());
        String name = settings.text(OptionTable.JOB_ID).orElseThrow();
        Map<String, String> values = new HashMap<>();
        values.put("NAME", platform == ManifestPlatform.SLURM ? ShellQuotes.word(name) : Yaml.value(name));
        values.put("PLAIN_NAME", name);
        values.put("NODES", settings.text(OptionTable.NODES).orElseThrow());
        values.put("CARDS", settings.text(OptionTable.CARDS).orElse(""));
        values.put("IMAGE", Yaml.value(settings.text(OptionTable.IMAGE).orElse("")));
        values.put("RESOURCE", engine().equals(ASCEND) ? NPUS : GPUS);
        values.put("SECONDS", notice);
        values.put("COMMAND", Yaml.command(line));
        values.put("LINE", ShellQuotes.line(line));
        values.put("FRAMEWORK", FRAMEWORKS.getOrDefault(ofEngine(FRAMEWORK).orElse(""), ""));
        return values;
    }

    private Set<String> words() {
        Set<String> words = new HashSet<>(List.of(engine()));
        settings.find(OptionTable.CARDS).ifPresent(cards -> words.add("cards"));
        settings.find(OptionTable.IMAGE).ifPresent(image -> words.add("image"));
        if (FRAMEWORKS.containsKey(ofEngine(FRAMEWORK).orElse(""))) {
            words.add(FRAMEWORK);
        }
        if (engine().equals(ASCEND) && ofEngine("rank-table").isEmpty()) {
            words.add("needs-table");
        }
        if (engine().equals("mpi") && ofEngine("ssh-key").isEmpty()) {
            words.add("needs-keys");
        }
        return words;
    }

    private String engine() {
        return invocation.engine().descriptor().id();
    }

    private Optional<String> ofEngine(String name) {
        return invocation.engine().options().find(name).flatMap(settings::text);
    }

    /** The launcher's command line: the user's options without those that the manifest expresses itself. */
    private List<String> line(Optional<Duration> grace) {
        List<String> words = new ArrayList<>(List.of(
                platform.program(),
                OptionTable.ENGINE.flag(),
                invocation.engine().descriptor().id()));
        for (Option option : List.of(OptionTable.NODES, OptionTable.CARDS)) {
            if (!platform.tells(option)) {
                settings.text(option).ifPresent(value -> words.addAll(List.of(option.flag(), value)));
            }
        }
        platform.grace(grace)
                .ifPresent(value -> words.addAll(List.of(OptionTable.GRACE.flag(), Durations.format(value))));
        invocation.given().forEach(given -> words.addAll(asGiven(given)));
        words.add("--");
        words.addAll(invocation.job());
        return words;
    }

    /** The option as the user wrote it. A path is one in the container. */
    private List<String> asGiven(Setting given) {
        return invocation
                .engine()
                .options()
                .find(given.name())
                .filter(option -> !LEFT_OUT.contains(option))
                // MindX DL has a variable for it, with its own place in the manifest.
                .filter(option ->
                        platform != ManifestPlatform.MINDX_DL || !option.name().equals(FRAMEWORK))
                .map(option -> given(option, given.value()))
                .orElse(List.of());
    }

    private static List<String> given(Option option, String value) {
        if (option.is(Option.Trait.OF_ENGINE)) {
            return List.of(OptionTable.ENGINE_OPTION.flag(), option.name() + "=" + value);
        }
        String no = value.equals("false") ? "=false" : "";
        return option.form().isSwitch() ? List.of(option.flag() + no) : List.of(option.flag(), value);
    }
}
