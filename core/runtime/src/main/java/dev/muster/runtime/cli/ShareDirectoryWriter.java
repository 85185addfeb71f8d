package dev.muster.runtime.cli;

import dev.muster.runtime.engines.EngineCatalog;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The build's own program: writes completion scripts and man pages, where the package has them. */
final class ShareDirectoryWriter {

    private static final Map<Completion.Shell, String> PLACES = Map.of(
            Completion.Shell.BASH, "bash-completion/completions/muster",
            Completion.Shell.ZSH, "zsh/site-functions/_muster",
            Completion.Shell.FISH, "fish/vendor_completions.d/muster.fish");

    private ShareDirectoryWriter() {}

    /** @param arguments the directory {@code share} and the date of the pages */
    public static void main(String[] arguments) throws IOException {
        Path share = Path.of(arguments[0]);
        PluginJars none = new PluginJars(Optional.empty());
        List<EngineDescriptor> engines = new EngineCatalog(none, PluginListener.NOBODY).descriptors();
        List<String> platforms = new PlatformCatalog(none, PluginListener.NOBODY)
                .platforms().stream().map(Platform::name).toList();
        Completion completion = new Completion(engines, platforms);
        for (Map.Entry<Completion.Shell, String> place : PLACES.entrySet()) {
            write(share.resolve(place.getValue()), completion.script(place.getKey()));
        }
        for (Map.Entry<String, String> page :
                new ManPages(engines, arguments[1]).pages().entrySet()) {
            write(share.resolve("man/man1").resolve(page.getKey()), page.getValue());
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
