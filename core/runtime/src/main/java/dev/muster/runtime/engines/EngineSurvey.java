package dev.muster.runtime.engines;

import dev.muster.runtime.plugins.BrokenPlugin;
import java.util.List;

/**
 * All engines, and all that is wrong with jars.
 *
 * @param engines in the order of their ids
 * @param problems in the order of their places
 */
public record EngineSurvey(List<DeclaredEngine> engines, List<BrokenPlugin> problems) {}
