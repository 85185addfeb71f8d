package dev.muster.runtime.app;

import dev.muster.runtime.certify.CertifyCommand;
import dev.muster.runtime.doctor.DoctorCommand;
import dev.muster.runtime.launch.LaunchCommand;
import dev.muster.runtime.launch.PlanCommand;
import dev.muster.runtime.remote.RunCommand;
import dev.muster.runtime.simulate.SimulateCommand;
import jakarta.inject.Inject;
import jakarta.inject.Provider;

/** What the program can do; only the command that is asked for is built. */
record Commands(
        Provider<LaunchCommand> launch,
        Provider<RunCommand> run,
        Provider<PlanCommand> plan,
        Provider<DoctorCommand> doctor,
        Provider<SimulateCommand> simulate,
        Provider<CertifyCommand> certify) {

    @Inject
    Commands {}
}
