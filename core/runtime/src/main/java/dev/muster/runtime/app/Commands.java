package dev.muster.runtime.app;

import com.google.inject.Provider;
import dev.muster.runtime.cli.RequestReader;
import dev.muster.runtime.launch.LaunchCommand;
import dev.muster.runtime.launch.PlanCommand;
import dev.muster.runtime.simulate.SimulateCommand;

/** What the program can do; only the command that is asked for is built. */
record Commands(
        RequestReader requests,
        Provider<LaunchCommand> launch,
        Provider<PlanCommand> plan,
        Provider<SimulateCommand> simulate) {}
