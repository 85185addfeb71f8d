package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How {@link Order}s are written as facts, and read. */
final class OrderFacts {

    private OrderFacts() {}

    static Fact write(Order order) {
        return order.fold(new Written());
    }

    private static List<Object> waiters(List<Order.Waiter> waiters) {
        return waiters.stream()
                .<Object>map(waiter -> new FactBuilder()
                        .with("launcher", waiter.launcher())
                        .with("host", waiter.host())
                        .with("what", waiter.what())
                        .content())
                .toList();
    }

    /** Empty for what this version does not know or cannot use. */
    static Optional<Order> read(Fact fact) {
        try {
            return Optional.ofNullable(order(new Fields(fact.content())));
        } catch (Fields.Unfit unfit) {
            return Optional.empty();
        }
    }

    private static @Nullable Order order(Fields fields) throws Fields.Unfit {
        return switch (fields.text(FactBuilder.IS)) {
            case "complete" ->
                new Order.Complete(
                        (int) fields.number("number"), (int) fields.number("used"), fields.texts("replaced"));
            case "begin" -> new Order.Begin((int) fields.number("number"), (int) fields.number("used"));
            case "stop" ->
                new Order.Stop(EndFacts.read(fields.object("end")), fields.is("doubtful"), fields.number("at"));
            case "decided" -> new Order.Decided(EndFacts.read(fields.object("end")));
            case "process" ->
                new Order.ProcessIs(
                        fields.text("process"),
                        fields.text("state").equals("ready") ? Heard.State.READY : Heard.State.ENDED,
                        fields.number("at"));
            case "waiting" -> new Order.Waiting(waiters(fields));
            case "otherCommand" -> new Order.OtherCommand(fields.text("command"));
            case "goodbye" -> new Order.Goodbye((int) fields.number("exitCode"));
            case "mayLeave" -> new Order.MayLeave();
            default -> null;
        };
    }

    private static List<Order.Waiter> waiters(Fields fields) throws Fields.Unfit {
        List<Order.Waiter> waiters = new ArrayList<>();
        for (Fields waiter : fields.objects("waiters")) {
            waiters.add(new Order.Waiter(waiter.text("launcher"), waiter.optionalText("host"), waiter.text("what")));
        }
        return waiters;
    }

    private static final class Written implements Order.Cases<Fact> {

        @Override
        public Fact complete(Order.Complete complete) {
            return FactBuilder.is("complete")
                    .with("number", complete.number())
                    .with("used", complete.used())
                    .with("replaced", complete.replaced())
                    .build();
        }

        @Override
        public Fact begin(Order.Begin begin) {
            return FactBuilder.is("begin")
                    .with("number", begin.number())
                    .with("used", begin.used())
                    .build();
        }

        @Override
        public Fact stop(Order.Stop stop) {
            return FactBuilder.is("stop")
                    .with("end", EndFacts.write(stop.end()))
                    .with("doubtful", stop.isDoubtful())
                    .with("at", stop.nanoTime())
                    .build();
        }

        @Override
        public Fact decided(Order.Decided decided) {
            return FactBuilder.is("decided")
                    .with("end", EndFacts.write(decided.end()))
                    .build();
        }

        @Override
        public Fact processIs(Order.ProcessIs process) {
            return FactBuilder.is("process")
                    .with("process", process.process())
                    .with("state", process.state().name().toLowerCase(Locale.ROOT))
                    .with("at", process.nanoTime())
                    .build();
        }

        @Override
        public Fact mayLeave(Order.MayLeave mayLeave) {
            return FactBuilder.is("mayLeave").build();
        }

        @Override
        public Fact waiting(Order.Waiting waiting) {
            return FactBuilder.is("waiting")
                    .with("waiters", waiters(waiting.waiters()))
                    .build();
        }

        @Override
        public Fact otherCommand(Order.OtherCommand other) {
            return FactBuilder.is("otherCommand")
                    .with("command", other.command())
                    .build();
        }

        @Override
        public Fact goodbye(Order.Goodbye goodbye) {
            return FactBuilder.is("goodbye")
                    .with("exitCode", goodbye.exitCode())
                    .build();
        }
    }
}
