package dev.muster.engine.tensorflow;

/**
 * One process of the job, by its role and index.
 *
 * @param index from 0 within its role
 */
record Member(Role role, int index) {

    /** Its name in messages, files and plans, for example {@code ps-0}. */
    String id() {
        return role.word() + "-" + index;
    }
}
