package dev.muster.runtime.platform;

import dev.muster.spi.Evidence;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A platform of ours. */
abstract class KnownPlatform implements Platform {

    private final String name;
    private final String title;
    private final List<String> variables;
    private final Function<EvidenceReader, PlatformReader> reader;

    /** @param reader what it tells here */
    KnownPlatform(String name, String title, List<String> variables, Function<EvidenceReader, PlatformReader> reader) {
        this.name = name;
        this.title = title;
        this.variables = variables;
        this.reader = reader;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<String> variables() {
        return variables;
    }

    @Override
    public Optional<String> sign(Evidence evidence) {
        return reader.apply(new EvidenceReader(evidence)).sign();
    }

    @Override
    public PlatformInfo read(Evidence evidence) {
        return reader.apply(new EvidenceReader(evidence)).info();
    }
}
