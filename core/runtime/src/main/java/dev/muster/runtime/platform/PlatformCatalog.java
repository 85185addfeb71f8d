package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.plugins.BrokenPlugin;
import dev.muster.runtime.plugins.PluginJar;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.runtime.text.Nearest;
import dev.muster.spi.Evidence;
import dev.muster.spi.PlanException;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All platforms, and the one on which we run. They are asked in order, and the last, {@code none}, always matches. Platforms of plugins
 * come first: their authors know the place better. The built-in ones follow in the order of {@code platforms.txt}.
 */
public final class PlatformCatalog {

    static final String AUTOMATIC = "auto";

    /** A platform that recognises this place, and by which sign. */
    private record Claimant(Platform platform, String sign) {

        boolean isOfPlugin() {
            return platform instanceof PluginPlatform;
        }

        String text() {
            return platform.name() + " (" + sign + ")";
        }
    }

    private final PluginJars jars;
    private final PluginListener listener;
    private final List<Platform> platforms = new ArrayList<>();
    private final List<BrokenPlugin> problems = new ArrayList<>();

    /** @param listener is told when code of plugins runs */
    public PlatformCatalog(PluginJars jars, PluginListener listener) {
        this.jars = jars;
        this.listener = listener;
    }

    /** A catalog of these platforms only. */
    PlatformCatalog(List<? extends Platform> platforms) {
        this(new PluginJars(Optional.empty()), PluginListener.NOBODY);
        this.platforms.addAll(platforms);
    }

    /** The platforms that can be asked; those of plugins first. Runs no code of plugins. */
    public List<Platform> platforms() {
        if (platforms.isEmpty()) {
            problems.addAll(jars.broken());
            for (PluginJar jar : jars.found()) {
                jar.card(PluginPlatform.ATTRIBUTE, problems::add).ifPresent(card -> add(card, jar));
            }
            platforms.addAll(KnownPlatform.ALL);
        }
        return platforms;
    }

    private void add(PluginJar.Card card, PluginJar jar) {
        boolean isTaken = Stream.concat(platforms.stream(), KnownPlatform.ALL.stream())
                .anyMatch(other -> other.name().equals(card.id()));
        // Users do not mean a plugin by these words.
        boolean isReserved = Set.of(AUTOMATIC, PlatformContract.NONE.name()).contains(card.id());
        if (isTaken || isReserved) {
            problems.add(jar.broken("the name " + card.id()
                    + " is taken: no job can choose this platform by it; give it a name of its own"));
        }
        if (!isReserved) {
            platforms.add(new PluginPlatform(card, jar, listener));
        }
    }

    /** Problems of plugin jars. Each of these jars may contain a platform. */
    public List<BrokenPlugin> problems() {
        platforms();
        return problems;
    }

    /** The platform that an option names, else the first that recognises where we are. */
    DetectedPlatform find(Evidence evidence, Settings settings) {
        Optional<Setting> named = settings.find(OptionTable.PLATFORM)
                .filter(setting -> !setting.value().equals(AUTOMATIC));
        if (named.isPresent()) {
            return read(named(named.get()), evidence, named.get().origin(), List.of());
        }
        List<Claimant> here = new ArrayList<>();
        for (Platform one : platforms()) {
            one.sign(evidence)
                    .filter(sign -> here.isEmpty() || !isNone(one))
                    .ifPresent(sign -> here.add(new Claimant(one, sign)));
        }
        refuseSeveral(here.stream().filter(Claimant::isOfPlugin).toList());
        List<String> others = here.stream().skip(1).map(Claimant::text).toList();
        return read(here.get(0).platform(), evidence, here.get(0).sign(), others);
    }

    private static void refuseSeveral(List<Claimant> ofPlugins) {
        if (ofPlugins.size() > 1) {
            throw MusterException.configuration("several platforms say that this is their place: "
                    + ofPlugins.stream()
                            .map(each -> each.text() + ", " + each.platform().title())
                            .collect(Collectors.joining("; "))
                    + ". Give --platform NAME, or remove all but one");
        }
    }

    private static boolean isNone(Platform platform) {
        return platform.name().equals(PlatformContract.NONE.name());
    }

    private DetectedPlatform read(Platform platform, Evidence evidence, String why, List<String> others) {
        List<Platform> namesakes = platforms().stream()
                .filter(one -> one.name().equals(platform.name()))
                .toList();
        if (namesakes.size() > 1) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE,
                    "platform \"" + platform.name() + "\" exists more than once: "
                            + namesakes.stream().map(Platform::title).collect(Collectors.joining(" and "))
                            + ". Remove all but one");
        }
        try {
            PlatformInfo info = platform.read(evidence);
            return new DetectedPlatform(info, why, others, warnings(platform, info, why));
        } catch (PlanException refused) {
            throw new MusterException(ExitCode.of(refused.kind()), String.valueOf(refused.getMessage()), refused);
        }
    }

    /** If no platform is recognised, the right one may be in a jar that cannot be used. */
    private List<String> warnings(Platform platform, PlatformInfo info, String why) {
        Stream<String> ofJars = platform instanceof PluginPlatform ofPlugin
                ? ofPlugin.warnings().stream()
                : isNone(platform) && why.equals(NoPlatform.NOTHING)
                        ? problems().stream()
                                .map(problem ->
                                        "no platform is recognised here, and a plugin cannot be used: " + problem)
                        : Stream.empty();
        return Stream.concat(ofJars, info.warnings().stream()).toList();
    }

    private Platform named(Setting setting) {
        List<String> names = new ArrayList<>(List.of(AUTOMATIC));
        for (Platform one : platforms()) {
            if (one.name().equals(setting.value())) {
                return one;
            }
            names.add(one.name());
        }
        String unusable = problems().stream()
                .map(problem -> "; cannot be used: " + problem)
                .collect(Collectors.joining());
        throw Settings.refusal(
                setting,
                "is not one of " + String.join(", ", names) + Nearest.suggestion(setting.value(), names) + unusable);
    }
}
