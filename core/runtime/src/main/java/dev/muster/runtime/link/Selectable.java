package dev.muster.runtime.link;

/** Something that a selector looks after. */
interface Selectable {

    /** It can go on. */
    void ready(long now);
}
