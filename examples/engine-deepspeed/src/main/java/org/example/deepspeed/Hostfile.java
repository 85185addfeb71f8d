package org.example.deepspeed;

import dev.muster.spi.Host;
import dev.muster.spi.InputValue;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The hosts of a job, and the number of processes on each. */
record Hostfile(List<Line> lines, String origin) {

    private static final Pattern LINE = Pattern.compile("(\\S+)\\s+slots\\s*=\\s*([1-9][0-9]{0,4})\\s*(#.*)?");

    record Line(String host, int slots) {}

    /** Reads a hostfile in the format of the deepspeed command. */
    static Hostfile read(InputValue.Text file) throws PlanException {
        List<Line> lines = new ArrayList<>();
        int number = 0;
        for (String text : file.content().lines().toList()) {
            number++;
            String line = text.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw wrong(file.path() + ", line " + number + ": \"" + line + "\" is not HOST slots=N. Correct it");
            }
            String host = matcher.group(1);
            if (lines.stream().anyMatch(other -> other.host().equals(host))) {
                throw wrong(file.path() + ", line " + number + ": host " + host + " occurs twice. Remove a line");
            }
            lines.add(new Line(host, Integer.parseInt(matcher.group(2))));
        }
        if (lines.isEmpty()) {
            throw wrong(file.path() + " names no host. Write a line HOST slots=N for each");
        }
        return new Hostfile(lines, file.path());
    }

    /** Without a file the nodes come from the platform. */
    static Hostfile ofNodes(Node node) throws PlanException {
        int slots = node.cards().count().orElse(1);
        int count = node.count().orElse(Math.max(1, node.hosts().size()));
        if (node.hosts().size() != count && count > 1) {
            throw new PlanException(
                    PlanException.Kind.CONFIGURATION,
                    "nobody says where the " + count + " nodes are. Give --hosts or --hostfile");
        }
        List<Line> lines = new ArrayList<>();
        node.hosts().forEach(host -> lines.add(new Line(host.address().orElse(host.name()), slots)));
        return new Hostfile(lines.isEmpty() ? List.of(new Line("127.0.0.1", slots)) : lines, "the nodes");
    }

    /** The index of this node's line: the line with a name or address of this machine, else the platform's node index. */
    int indexOf(Node node) throws PlanException {
        if (node.count().orElse(lines.size()) != lines.size()) {
            throw wrong(origin + " has " + lines.size() + " hosts, and the job " + node.count().getAsInt()
                    + " nodes. Give --nodes " + lines.size() + ", or correct the file");
        }
        List<String> own = new ArrayList<>(node.machine().addresses());
        own.add(node.machine().hostName());
        own.removeIf(name -> name.startsWith("127.") || name.equals("localhost"));
        Optional<Line> line =
                lines.stream().filter(each -> own.contains(each.host())).findFirst();
        if (line.isPresent()) {
            return lines.indexOf(line.get());
        }
        // The platform may use another name for this machine.
        OptionalInt index = lines.size() == 1 ? OptionalInt.of(0) : node.index();
        return index.orElseThrow(() -> new PlanException(
                PlanException.Kind.CONFIGURATION,
                origin + " has no line for this node, which is " + own + ". Give --node-index, or add a line"));
    }

    int slotsBefore(int index) {
        return lines.subList(0, index).stream().mapToInt(Line::slots).sum();
    }

    int slots() {
        return slotsBefore(lines.size());
    }

    List<Host> hosts() {
        return lines.stream().map(line -> Host.of(line.host(), Optional.empty())).toList();
    }

    private static PlanException wrong(String message) {
        return new PlanException(PlanException.Kind.DATA, message);
    }
}
