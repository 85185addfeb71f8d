package dev.muster.e2e;

/** How a simulation gives its nodes a network, and to whom. */
enum SimulatedWay {
    /** Hosts of their own in namespaces, which root may make. */
    HOSTS_OF_ROOT(true, true),
    /** The same in a user namespace. */
    HOSTS_OF_A_USER(true, false),
    /** Loopback addresses, where the programs are missing that namespaces take. */
    LOOPBACK_OF_ROOT(false, true),
    /** The same for whoever is not root. */
    LOOPBACK_OF_A_USER(false, false);

    private final boolean hosts;
    private final boolean root;

    SimulatedWay(boolean hosts, boolean root) {
        this.hosts = hosts;
        this.root = root;
    }

    boolean hasHosts() {
        return hosts;
    }

    boolean isRoots() {
        return root;
    }
}
