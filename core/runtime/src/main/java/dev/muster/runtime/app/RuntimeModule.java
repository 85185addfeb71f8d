package dev.muster.runtime.app;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.control.ControlServer;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.SupervisorEvents;
import java.time.Clock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Which class gets what. What is not asked for is never built. */
final class RuntimeModule extends AbstractModule {

    private final LaunchContext context;
    private final Supplier<ProcessSupervisor> supervisor;

    /** @param supervisor asked for when the first process is started */
    RuntimeModule(LaunchContext context, Supplier<ProcessSupervisor> supervisor) {
        this.context = context;
        this.supervisor = supervisor;
    }

    @Override
    protected void configure() {
        binder().requireExplicitBindings();
        bindGiven(LaunchContext.class, context);
        bindGiven(ProcessInfo.class, context.processInfo());
        bindGiven(Signals.class, context.signals());
        bindGiven(Console.class, context.console());
        bindGiven(Clock.class, context.clock());
        bindGiven(LongSupplier.class, context.nanoClock());
        bind(RunDirectory.class).toProvider(this::directory);
        bind(ProcessSupervisor.class).toProvider(supervisor::get);
        bind(SupervisorEvents.class).toProvider(this::events).in(Scopes.SINGLETON);
        bind(PlanRun.class);
    }

    /** What is there already. Guice would look for annotations in the class of an instance. */
    private <T> void bindGiven(Class<T> kind, T given) {
        bind(kind).toProvider(() -> given);
    }

    private RunDirectory directory() {
        return RunDirectory.of(context.processInfo().environment().variables(), RunDirectory.TEMPORARY);
    }

    private SupervisorEvents events() {
        ProcessSupervisor connection = supervisor.get();
        ControlServer control = new ControlServer(connection, context.nanoClock());
        SupervisorEvents events = new SupervisorEvents(context.signals(), control, context.nanoClock());
        connection.listen(events);
        return events;
    }
}
