package dev.muster.runtime.link;

import dev.muster.runtime.ports.ClientSocket;
import dev.muster.spi.Host;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One try of a member to connect to its leader, at all addresses where it may be. Its calls block, so it needs a thread of its own. */
final class LeaderConnector {

    private static final int TO_CONNECT_MILLIS = 2000;
    static final int TO_ANSWER_MILLIS = 3000;
    /** How long to wait for a name server, which may not answer: there may be another address to try. */
    private static final long TO_RESOLVE_MILLIS = 1000;

    /** An address, which needs no name server. */
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|.*:.*");

    private static final String NOT_RESOLVED = "its name does not resolve";

    /** The result of the try. */
    sealed interface Outcome {

        /** The leader answers and both sides know the key. */
        record Reached(SocketChannel channel, InetSocketAddress place, Handshake.Step.Done done) implements Outcome {}

        /**
         * The leader answers at no address.
         *
         * @param otherKey a message for the user about different keys; empty: none
         */
        record NotReached(String why, Disconnection how, String otherKey) implements Outcome {}

        /** The leader has the key but speaks another version of the protocol; the text is for the user. */
        record OtherVersion(String problem) implements Outcome {}
    }

    private final LinkContext context;
    private final JobKey key;
    private final Set<InetSocketAddress> places = new LinkedHashSet<>();
    private final @Nullable InetSocketAddress good;
    private final int patienceMillis;
    private @Nullable Disconnection worst;
    private String why = "";
    private String otherKey = "";
    private boolean isNobodyWhereItWas;

    /**
     * @param good the address at which the leader answered last
     * @param patienceMillis how long to wait for an answer if there are other addresses: another program may have the first port
     */
    LeaderConnector(LinkContext context, JobKey key, @Nullable InetSocketAddress good, int patienceMillis) {
        this.context = context;
        this.key = key;
        this.good = good;
        this.patienceMillis = patienceMillis;
        if (good != null) {
            places.add(good);
        }
        List<InetAddress> addresses = addresses(context);
        // All addresses are tried with one port before the next port: an address that drops everything costs seconds.
        for (int port : context.settings.ports()) {
            addresses.forEach(address -> places.add(new InetSocketAddress(address, port)));
        }
    }

    private static List<InetAddress> addresses(LinkContext context) {
        Optional<Host> host = context.settings.launchers().leading().host();
        return Stream.concat(host.map(Host::name).stream(), host.flatMap(Host::address).stream())
                .distinct()
                .flatMap(name -> addresses(context, name).stream())
                .toList();
    }

    private static List<InetAddress> addresses(LinkContext context, String name) {
        try {
            return LITERAL.matcher(name).matches()
                    ? ClientSocket.addresses(name)
                    : context.resolving
                            .submit(() -> ClientSocket.addresses(name))
                            .get(TO_RESOLVE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (UnknownHostException | ExecutionException | TimeoutException unknown) {
            // The settings may have an address in addition to the name.
            return List.of();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /** Tries all addresses until the leader answers. */
    Outcome connect() {
        if (places.isEmpty()) {
            failed(null, Disconnection.SILENCE, NOT_RESOLVED);
        }
        for (InetSocketAddress place : places) {
            Optional<Outcome> found = tryAt(place);
            if (found.isPresent()) {
                return found.get();
            }
        }
        Disconnection how = Objects.requireNonNull(worst, "every place has failed");
        if (good != null && how != Disconnection.REFUSED) {
            how = isNobodyWhereItWas ? Disconnection.NOBODY : Disconnection.SILENCE;
        }
        return new Outcome.NotReached(why, how, otherKey);
    }

    private Optional<Outcome> tryAt(InetSocketAddress place) {
        SocketChannel channel = null;
        Optional<Outcome> found = Optional.empty();
        try {
            channel = ClientSocket.open();
            found = reach(place, channel);
        } catch (ConnectException refused) {
            failed(place, Disconnection.NOBODY, "connection refused");
        } catch (SocketTimeoutException late) {
            failed(place, Disconnection.SILENCE, "no answer");
        } catch (IOException broken) {
            failed(place, Disconnection.SILENCE, Connection.words(broken));
        } finally {
            if (channel != null && !(found.orElse(null) instanceof Outcome.Reached)) {
                Connection.close(channel);
            }
        }
        return found;
    }

    private Optional<Outcome> reach(InetSocketAddress place, SocketChannel channel) throws IOException {
        // Made before the connection, so that the hello follows it at once.
        Hello own = context.hello();
        Handshake handshake = new Handshake(own, key);
        channel.socket().connect(place, TO_CONNECT_MILLIS);
        if (ClientSocket.hasMetItself(channel)) {
            throw new ConnectException();
        }
        byte[] answer = ask(channel, handshake.opening());
        Handshake.Step step =
                handshake.prove(answer, context.settings.launchers().leader());
        if (step instanceof Handshake.Step.Done done) {
            return Optional.of(new Outcome.Reached(channel, place, done));
        }
        Handshake.Step.Failed failed = (Handshake.Step.Failed) step;
        if (!failed.line().isEmpty()) {
            say(channel, failed.line());
        }
        return refused(place, failed);
    }

    private static void say(SocketChannel channel, String line) throws IOException {
        channel.socket().getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a line and reads the answer. It reads byte by byte, since the bytes after the line belong to the next reader. */
    private byte[] ask(SocketChannel channel, String line) throws IOException {
        channel.socket().setSoTimeout(places.size() > 1 ? patienceMillis : TO_ANSWER_MILLIS);
        say(channel, line);
        InputStream in = channel.socket().getInputStream();
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the connection was closed");
            }
            if (answer.size() >= Acceptor.LONGEST_LINE) {
                throw new IOException("it sent a line that is too long");
            }
            answer.write(next);
        }
        return answer.toByteArray();
    }

    private Optional<Outcome> refused(InetSocketAddress place, Handshake.Step.Failed step) {
        switch (step.why()) {
            case OTHER_JOB -> failed(place, Disconnection.NOBODY, "another job answers on port " + place.getPort());
            case NONSENSE -> failed(place, Disconnection.NOBODY, "something else answers on port " + place.getPort());
            case OTHER_KEY -> {
                failed(place, Disconnection.REFUSED, "it has another key");
                otherKey = leaderAt(place) + " has another key: --link-secret must be the same on all nodes";
            }
            case OTHER_VERSION -> {
                return Optional.of(new Outcome.OtherVersion(leaderAt(place) + " speaks version "
                        + step.peer().orElseThrow().version() + " of the link, this launcher version "
                        + Hello.VERSION + ". Install the same Muster on all nodes"));
            }
        }
        return Optional.empty();
    }

    private String leaderAt(InetSocketAddress place) {
        return "the leader " + context.settings.launchers().leader() + " at "
                + place.getAddress().getHostAddress() + ", port " + place.getPort();
    }

    private void failed(@Nullable InetSocketAddress place, Disconnection failure, String reason) {
        if (good != null && good.equals(place)) {
            isNobodyWhereItWas = failure == Disconnection.NOBODY;
        }
        // Keeps the reason that says more: another job on the port says more than a refused connection.
        if (worst == null || failure.compareTo(worst) > 0 || (failure == worst && why.endsWith("refused"))) {
            worst = failure;
            why = reason;
        }
    }
}
