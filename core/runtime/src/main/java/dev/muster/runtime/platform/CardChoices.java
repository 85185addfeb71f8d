package dev.muster.runtime.platform;

import dev.muster.runtime.config.CardIds;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.spi.CardChoice;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Decides which accelerators of this node are used, where anybody says so. */
final class CardChoices {

    private CardChoices() {}

    static CardChoice decide(Optional<Setting> ids, Optional<Setting> count) {
        if (ids.isPresent()) {
            List<Integer> list = CardIds.parse(ids.get().value()).orElseThrow();
            return new CardChoice(OptionalInt.of(list.size()), list, ids.get().origin());
        }
        return count.isPresent()
                ? new CardChoice(
                        OptionalInt.of(Integer.parseInt(count.get().value())),
                        List.of(),
                        count.get().origin())
                : CardChoice.NONE;
    }

    /** The setting of {@code --cards}: what is given, the length of {@code --card-ids}, or what the platform says. */
    static Optional<Setting> count(Platform platform, Settings settings, Optional<Setting> ids) {
        Optional<Setting> count = settings.given(OptionTable.CARDS);
        if (ids.isEmpty()) {
            return count.isPresent() ? count : platform.cards();
        }
        String length =
                Integer.toString(CardIds.parse(ids.get().value()).orElseThrow().size());
        if (count.isPresent() && !count.get().value().equals(length)) {
            throw Settings.refusal(
                    count.get(),
                    "does not agree with the " + length + " cards of "
                            + ids.get().origin());
        }
        return Optional.of(new Setting(
                OptionTable.CARDS.name(), length, ids.get().origin(), ids.get().source()));
    }
}
