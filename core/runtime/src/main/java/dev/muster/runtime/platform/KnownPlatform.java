package dev.muster.runtime.platform;

import dev.muster.spi.Evidence;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A platform of ours.
 *
 * @param reader what it tells here
 */
record KnownPlatform(String name, String title, List<String> variables, Function<EvidenceReader, PlatformReader> reader)
        implements Platform {

    KnownPlatform {
        variables = List.copyOf(variables);
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
