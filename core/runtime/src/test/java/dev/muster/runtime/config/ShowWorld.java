package dev.muster.runtime.config;

import dev.muster.runtime.errors.MusterException;
import java.nio.charset.StandardCharsets;

/** A program for tests: prints its arguments as the launcher would see them. */
final class ShowWorld {

    private ShowWorld() {}

    public static void main(String[] arguments) {
        StringBuilder text = new StringBuilder();
        int code = 0;
        try {
            for (String argument : World.capture(arguments).arguments()) {
                text.append(argument).append('|');
            }
        } catch (MusterException refusal) {
            text.append(refusal.getMessage());
            code = refusal.exitCode().code();
        }
        System.out.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
        System.exit(code);
    }
}
