package dev.muster.runtime.platform;

import dev.muster.runtime.config.NumberList;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.CardChoice;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.OptionValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Decides which cards of this node the ranks use, for all engines. A variable such as {@code CUDA_VISIBLE_DEVICES}, else the device files,
 * says which cards processes may use. Options choose among these only. The platform's number is an upper limit.
 */
public final class CardResolver {

    /**
     * One make of cards.
     *
     * @param variable tells a process which cards it may use
     * @param files how the names of their device files begin
     */
    private record Make(String variable, String files) {}

    private static final List<Make> MAKES =
            List.of(new Make("CUDA_VISIBLE_DEVICES", "nvidia"), new Make("ASCEND_RT_VISIBLE_DEVICES", "davinci"));

    private static final Pattern CARD = Pattern.compile("[0-9]{1,5}|(GPU|MIG)-.+");
    private static final Pattern NO_CARD = Pattern.compile("-1|none|void|nodevfiles", Pattern.CASE_INSENSITIVE);

    private final Consumer<String> warn;
    private final boolean isOwned;
    private final Optional<Make> make;
    private final List<String> files;
    private final Optional<String> variable;
    private final List<String> usable;
    private final boolean isPretended;

    /** @param warn gets a warning when the platform contradicts a variable */
    CardResolver(LocalEvidence evidence, Consumer<String> warn) {
        this.warn = warn;
        Optional<Make> owned = evidence.engine()
                .flatMap(engine ->
                        MAKES.stream().filter(one -> engine.owns(one.variable)).findFirst());
        this.isOwned = owned.isPresent();
        this.make = owned.or(() -> first(evidence));
        this.files = make.map(one -> numbers(evidence, one)).orElse(List.of());
        // Simulated cards do not exist on this machine.
        this.isPretended = evidence.environment().containsKey(RunMarker.VARIABLE);
        Optional<String> list = make.map(one -> evidence.environment().get(one.variable));
        this.variable = list.map(text -> make.orElseThrow().variable + "=" + text);
        this.usable = list.isPresent() ? listed(list.get()) : files;
    }

    private static Optional<Make> first(LocalEvidence evidence) {
        return MAKES.stream()
                .filter(one -> evidence.environment().containsKey(one.variable))
                .findFirst()
                .or(() -> MAKES.stream()
                        .filter(one -> !numbers(evidence, one).isEmpty())
                        .findFirst());
    }

    /** The numbers of the cards that have a device file, ascending. Files such as {@code nvidiactl} are no cards. */
    private static List<String> numbers(LocalEvidence evidence, Make make) {
        Pattern name = Pattern.compile(make.files + "[0-9]{1,5}");
        return evidence.names("/dev").stream()
                .filter(file -> name.matcher(file).matches())
                .map(file -> Integer.valueOf(file.substring(make.files.length())))
                .sorted()
                .map(String::valueOf)
                .toList();
    }

    /** The cards that the variable lists, up to a word such as {@code -1} that hides the rest. */
    private List<String> listed(String text) {
        List<String> cards = new ArrayList<>();
        for (String part :
                text.isBlank() ? new String[0] : text.replaceFirst(",+$", "").split(",", -1)) {
            String card = part.strip();
            if (NO_CARD.matcher(card).matches()) {
                return cards;
            }
            if (!CARD.matcher(card).matches() || cards.contains(card)) {
                throw MusterException.configuration(Printable.quote(text) + " in " + make.orElseThrow().variable
                        + " is not a list of different cards. Write it as 0,1,2 or unset it");
            }
            if (!isThere(card)) {
                throw MusterException.configuration(variable.orElseThrow() + " names card " + card + ", but "
                        + present() + ". Correct the variable or unset it");
            }
            cards.add(card);
        }
        return cards;
    }

    /** Whether the card exists. Containers may number their cards from 0, whatever the device files are called. */
    private boolean isThere(String card) {
        return isPretended
                || files.isEmpty()
                || files.contains(card)
                || !Character.isDigit(card.charAt(0))
                || Integer.parseInt(card) < files.size();
    }

    private String present() {
        return "/dev has cards " + String.join(",", files) + " only";
    }

    private String allowed() {
        return variable.map(text -> text + " allows " + usable.size()).orElseGet(this::present);
    }

    /** @param ids of {@code --card-ids} */
    CardChoice ofIds(Setting ids, Optional<Setting> count) {
        List<Integer> list = NumberList.cards(ids.value()).orElseThrow();
        if (count.isPresent() && !count.get().value().equals(Integer.toString(list.size()))) {
            throw Settings.refusal(count.get(), "does not agree with the " + list.size() + " cards of " + ids.origin());
        }
        for (int id : list) {
            String card = Integer.toString(id);
            boolean isAllowed = isPretended || (variable.isPresent() ? usable.contains(card) : isThere(card));
            if (!isAllowed) {
                throw MusterException.configuration(ids.origin() + " asks for card " + id + ", but "
                        + variable.map(text -> text + " does not allow it").orElseGet(this::present)
                        + ". Choose among these cards, or change the variable");
            }
        }
        return new CardChoice(OptionalInt.of(list.size()), list, ids.origin(), true, usableOfEngine());
    }

    /** @param count of {@code --cards} */
    CardChoice ofCount(Setting count) {
        int wanted = Integer.parseInt(count.value());
        if (!isPretended && !usable.isEmpty() && wanted > usable.size()) {
            throw MusterException.configuration(count.origin() + " asks for " + wanted + " cards, but " + allowed()
                    + ". Give " + OptionTable.CARDS.flag() + " " + usable.size() + " or less");
        }
        return new CardChoice(OptionalInt.of(wanted), List.of(), count.origin(), true, usableOfEngine());
    }

    /** @param told the platform's number of cards on this node */
    CardChoice ofPlatform(OptionValue told) {
        int count = Integer.parseInt(told.value());
        if (isPretended || (variable.isEmpty() && (files.isEmpty() || !isOwned || count <= files.size()))) {
            return new CardChoice(OptionalInt.of(count), List.of(), told.origin(), false, usableOfEngine());
        }
        if (variable.isEmpty()) {
            throw MusterException.configuration(told.origin() + "=" + count + " speaks of " + count + " cards, but "
                    + present() + ". Give --cards " + files.size() + " or less");
        }
        int least = Math.min(count, usable.size());
        if (count != usable.size()) {
            warn.accept(told.origin() + "=" + count + ", but " + allowed() + ": " + least + " of the cards are used. "
                    + OptionTable.CARDS.flag() + " says which number is meant");
        }
        String origin = least < count ? make.orElseThrow().variable : told.origin();
        return new CardChoice(OptionalInt.of(least), List.of(), origin, false, usableOfEngine());
    }

    /** The cards when neither the options nor the platform tell a number. */
    CardChoice ofMachine() {
        if (!isOwned) {
            return CardChoice.NONE;
        }
        Make own = make.orElseThrow();
        String origin = variable.isPresent() ? own.variable : "/dev/" + own.files + "*";
        return new CardChoice(OptionalInt.empty(), List.of(), origin, false, usable);
    }

    private List<String> usableOfEngine() {
        return isOwned ? usable : List.of();
    }

    /** Variables that show processes the chosen cards only, if the engine does not set them itself. */
    public static Map<String, String> visible(EngineDescriptor engine, CardChoice choice) {
        Map<String, String> variables = new TreeMap<>();
        boolean isEngines = MAKES.stream().anyMatch(one -> engine.owns(one.variable));
        if (!isEngines && !choice.ids().isEmpty()) {
            String ids = choice.ids().stream().map(String::valueOf).collect(Collectors.joining(","));
            MAKES.forEach(one -> variables.put(one.variable, ids));
        }
        return variables;
    }
}
