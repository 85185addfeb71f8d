package dev.muster.runtime.doctor;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.spi.CardChoice;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Cards: the number that platform and options want, the device files, the driver's answer, and the versions of driver and CANN. */
final class CardsCheck {

    /**
     * One make of cards.
     *
     * @param variable selects the cards that a process may use
     * @param files the names of its device files
     * @param command lists the cards
     * @param card matches the command's output once for each device file
     */
    private record Make(String variable, String files, String command, String card) {}

    private static final List<Make> MAKES = List.of(
            new Make("CUDA_VISIBLE_DEVICES", "nvidia[0-9]+", "nvidia-smi -L", "(?m)^GPU "),
            new Make("ASCEND_RT_VISIBLE_DEVICES", "davinci[0-9]+", "npu-smi info -l", "NPU ID|Chip Count *: 2"));

    private static final String ASCEND = "/usr/local/Ascend/";
    private static final Pattern VERSION = Pattern.compile("(?im)^(?:version|runtime_running_version)=\\[?([\\w.]+)");

    private CardsCheck() {}

    static Stream<Finding> findings(NodeFacts node) {
        String toolkit = node.variable("ASCEND_TOOLKIT_HOME").orElse(ASCEND + "ascend-toolkit/latest");
        Stream<String> versions = Stream.of(ASCEND + "driver/version.info", toolkit + "/version.cfg")
                .filter(file -> node.files().names("/dev").contains("davinci_manager"));
        return node.isSimulated()
                ? Stream.empty()
                : Stream.concat(
                        MAKES.stream().flatMap(make -> finding(node, make)), versions.map(file -> version(node, file)));
    }

    private static Stream<Finding> finding(NodeFacts node, Make make) {
        long files = node.files().names("/dev").stream()
                .filter(name -> name.matches(make.files))
                .count();
        CommandRunner.Answer answer = node.ask(make.command.split(" ", -1));
        int code = answer.exitCode();
        long told = code == 0
                ? Pattern.compile(make.card).matcher(answer.output()).results().count()
                : files;
        CardChoice choice = node.node().cards();
        int wanted = node.serves(make.variable) ? choice.count().orElse(0) : -1;
        String key = wanted <= told ? "cards" : told == 0 ? "cards.none" : "cards.few";
        if (files > 0 && code != ExitCode.NOT_FOUND.code() && (code != 0 || told != files)) {
            key = code != 0 ? "cards.silent" : "cards.lost";
        }
        return key.equals("cards") && wanted < 0
                ? Stream.empty()
                : Stream.of(Finding.of(key, make.command, told, files, wanted, choice.origin(), code));
    }

    private static Finding version(NodeFacts node, String file) {
        return node.files()
                .text(file)
                .flatMap(text -> VERSION.matcher(text).results().findFirst())
                .map((MatchResult found) -> Finding.of("driver", found.group(1), file))
                .orElseGet(() -> Finding.of("driver.missing", file));
    }
}
