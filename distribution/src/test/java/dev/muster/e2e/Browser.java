package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real, headless Chromium shows what a person would see of a page. The protocol of its developer tools controls it. */
final class Browser implements AutoCloseable {

    private static final String PROGRAM = "chromium";
    private static final long SECONDS = 60;
    private static final Pattern ADDRESS = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final List<String> OPTIONS = List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--remote-allow-origins=*",
            "--remote-debugging-port=0");

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final Map<String, Object> session = new TreeMap<>();

    private Browser(Process process, String address) {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address), new Reader())
                .join();
    }

    /**
     * Starts Chromium with one empty page.
     *
     * @param profile a directory that only this browser uses
     */
    static Browser start(Path profile) throws IOException {
        Components.require(PROGRAM);
        List<String> command = new ArrayList<>(List.of(PROGRAM));
        command.addAll(OPTIONS);
        command.addAll(List.of("--user-data-dir=" + profile, "about:blank"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        for (String variable : List.of("HOME", "TMPDIR")) {
            builder.environment().put(variable, Files.createDirectories(profile).toString());
        }
        Process process = builder.start();
        try {
            Browser browser = new Browser(process, address(process));
            browser.attach();
            return browser;
        } catch (IOException | RuntimeException broken) {
            end(process);
            throw broken;
        }
    }

    private static String address(Process process) throws IOException {
        // Stays open: otherwise Chromium gets a broken pipe.
        BufferedReader said = process.errorReader(StandardCharsets.UTF_8);
        StringBuilder all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            Matcher found = ADDRESS.matcher(line);
            if (found.find()) {
                Thread drain = new Thread(() -> said.lines().forEach(more -> {}), "browser");
                drain.setDaemon(true);
                drain.start();
                return found.group(1);
            }
            all.append(line).append('\n');
        }
        throw new IOException("chromium has ended: " + all);
    }

    private void attach() {
        List<String> pages = new ArrayList<>();
        for (JsonNode target : send("Target.getTargets", Map.of()).get("targetInfos")) {
            if (target.get("type").asText().equals("page")) {
                pages.add(target.get("targetId").asText());
            }
        }
        assertThat(pages).hasSize(1);
        JsonNode attached = send("Target.attachToTarget", Map.of("targetId", pages.get(0), "flatten", true));
        send(
                "Browser.grantPermissions",
                Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
        session.put("sessionId", attached.get("sessionId").asText());
        List.of("Page", "Network", "Runtime", "Log").forEach(domain -> send(domain + ".enable", Map.of()));
        send("Emulation.setFocusEmulationEnabled", Map.of("enabled", true));
    }

    /** Opens a page on a light or dark desktop, and waits until it is complete. */
    void open(Path page, boolean isDark) {
        events.clear();
        Object scheme = Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light");
        send("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
        send("Page.navigate", Map.of("url", page.toUri().toString()));
        String isThere = "document.readyState === 'complete' && location.href.endsWith('" + page.getFileName() + "')";
        Await.until("the page", () -> evaluate(isThere).equals("true"));
    }

    /** The value of an expression as text. Waits for a promise. */
    String evaluate(String expression) {
        JsonNode answer = send(
                "Runtime.evaluate",
                Map.of("expression", expression, "awaitPromise", true, "returnByValue", true, "userGesture", true));
        assertThat(answer.has("exceptionDetails"))
                .as("%s: %s", expression, answer)
                .isFalse();
        return answer.get("result").path("value").asText();
    }

    /** The visible text of the page. */
    String text() {
        return evaluate("document.body.innerText");
    }

    void type(String text) {
        send("Input.insertText", Map.of("text", text));
    }

    void press(String key, int code, String text) {
        for (String type : List.of("keyDown", "keyUp")) {
            send(
                    "Input.dispatchKeyEvent",
                    Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode", code, "text", text));
        }
    }

    /** Errors and warnings of the page's console, and exceptions. */
    List<String> problems() {
        return events.stream()
                .filter(event -> List.of("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
                        .contains(event.get("method").asText()))
                .map(JsonNode::toString)
                .toList();
    }

    /** The addresses that the page requested, except files and data. */
    List<String> requests() {
        return events.stream()
                .filter(event -> event.get("method").asText().equals("Network.requestWillBeSent"))
                .map(event -> event.at("/params/request/url").asText())
                .filter(url -> !url.startsWith("file:") && !url.startsWith("data:"))
                .toList();
    }

    private JsonNode send(String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        Map<String, Object> order = new TreeMap<>(session);
        order.putAll(Map.of("id", id, "method", method, "params", parameters));
        try {
            socket.sendText(MAPPER.writeValueAsString(order), true).join();
        } catch (IOException noJson) {
            throw new UncheckedIOException(noJson);
        }
        JsonNode got = answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
        assertThat(got.has("error")).as("%s: %s", method, got).isFalse();
        return got.get("result");
    }

    /** Chromium ends its own processes on {@code Browser.close}. */
    @Override
    public void close() {
        session.clear();
        send("Browser.close", Map.of());
        process.onExit().completeOnTimeout(process, SECONDS, TimeUnit.SECONDS).join();
        socket.abort();
        end(process);
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    /** Puts the parts of a message together. */
    private final class Reader implements WebSocket.Listener {

        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            message.append(part);
            if (isLast) {
                received(Json.parse(message.toString()));
                message.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedFuture("");
        }

        private void received(JsonNode what) {
            Optional.ofNullable(answers.remove(what.path("id").asInt()))
                    .ifPresentOrElse(waiting -> waiting.complete(what), () -> events.add(what));
        }
    }
}
