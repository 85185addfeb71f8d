package dev.muster.runtime.link;

/** Which end of a connection speaks. It is part of everything that is signed, so that nobody's words can be sent back to him. */
enum Role {
    MEMBER("member"),
    LEADER("leader");

    private final String word;

    Role(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
