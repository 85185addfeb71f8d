package dev.muster.runtime.process;

/** Puts a process to start into a record. */
final class StartOrder {

    private StartOrder() {}

    /** @throws IllegalArgumentException a text has a zero byte in it */
    static OrderRecord of(long id, ProcessRequest request) {
        OrderRecord order = new OrderRecord("start")
                .number("id", id)
                .text("dir", request.directory().toString())
                .texts("arg", request.command())
                .texts("unset", request.remove())
                .flag("input", request.hasInput())
                .flag("wrapper", request.isWrapper());
        request.set().forEach((name, value) -> order.text("set", name + "=" + value));
        output(order, "out", request.output());
        request.errors().ifPresent(errors -> output(order, "err", errors));
        if (request.output().read() >= 0) {
            order.number("drain", request.output().read());
        }
        request.host()
                .ifPresent(host -> order.flag("host", true)
                        .flag("waits", host.waitsForOthers())
                        .texts("pass", host.passed())
                        .texts("leave", host.left())
                        .path("note", host.note()));
        return order;
    }

    private static void output(OrderRecord order, String key, ProcessRequest.OutputTarget target) {
        if (target.socket().isPresent()) {
            order.path(key, target.socket());
        } else {
            order.number(key, target.write());
        }
    }
}
