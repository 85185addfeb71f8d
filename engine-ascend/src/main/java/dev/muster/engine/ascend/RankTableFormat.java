package dev.muster.engine.ascend;

/** The families of rank tables. */
enum RankTableFormat {
    /** Groups of pods; written by the platform, never read by ranks. */
    TEMPLATE_TWO("template 2", "pod", "/group_list"),
    /** Version 1.0: servers with devices that have ranks. */
    TEMPLATE_ONE("template 1", "server", "/server_list"),
    /** Version 1.2: as 1.0, the servers in superpods. */
    SUPERPOD("version 1.2", "server", "/server_list"),
    /** Version 2.0: ranks only, without servers. */
    LEVEL_LIST("version 2.0", "node", "/rank_list"),
    /** Made by hand for MindSpore 0.3: an instance per device. */
    LAB("lab", "server", "/group_list");

    /** The family's name in messages. */
    final String title;
    /** The family's word for the node of one launcher. */
    final String nodeWord;
    /** JSON pointer to the list that holds these nodes. */
    final String listPointer;

    RankTableFormat(String title, String nodeWord, String listPointer) {
        this.title = title;
        this.nodeWord = nodeWord;
        this.listPointer = listPointer;
    }
}
