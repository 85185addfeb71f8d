package dev.muster.runtime.platform;

import java.util.List;
import java.util.SortedMap;

/**
 * What a simulated platform gives to a virtual node.
 *
 * @param variables of the node's container
 * @param directories that are there when the container starts; absolute, parents first
 * @param logDirectory where the node's launcher will write logs and its result
 * @param hostNames under which the platform lets nodes find this one
 */
public record SimulatedEnvironment(
        SortedMap<String, String> variables, List<String> directories, String logDirectory, List<String> hostNames) {}
