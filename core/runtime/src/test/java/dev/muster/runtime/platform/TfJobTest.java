package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.TestWorlds;
import dev.muster.runtime.config.World;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Host;
import dev.muster.spi.NodeInfo;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a replica of a TFJob is told, in environments that a real one had. */
class TfJobTest {

    private static final EngineDescriptor OF_ROLES = engine("of-roles", List.of("ps", "worker"));
    private static final EngineDescriptor OF_NODES = engine("of-nodes", List.of());

    private final Map<String, String> variables = new HashMap<>();
    private String hostName = "host";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tfjob-chief-0",
                "tfjob-evaluator-0",
                "tfjob-ps-0",
                "tfjob-ps-1",
                "tfjob-worker-0",
                "tfjob-worker-1",
                "tfjob-chief-chief-0",
                "tfjob-chief-worker-0",
                "tfjob-chief-worker-1",
                "tfjob-ps-ps-0",
                "tfjob-ps-worker-0",
                "tfjob-ps-worker-1",
                "tfjob-workers-worker-0",
                "tfjob-workers-worker-1"
            })
    void everyReplicaKnowsItsPlace(String recording) {
        Recorded recorded = record(recording);

        Site site = site(OF_ROLES);

        assertThat(site.platform().name()).isEqualTo("tfjob");
        assertThat(site.platform().contract().variables()).containsExactly("TF_CONFIG");
        assertThat(site.node().role()).contains(recorded.role());
        assertThat(site.node().index()).hasValue(recorded.index());
        assertThat(site.node().count()).hasValue(recorded.nodes());
        assertThat(site.jobId() + "-" + recorded.role() + "-" + recorded.index())
                .isEqualTo(recorded.hostName());
        assertThat(site.node().hostsByRole().values().stream()
                        .mapToInt(List::size)
                        .sum())
                .isEqualTo(recorded.nodes());
        assertThat(site.unheard()).isEmpty();
        assertThat(site.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "tfjob-chief-chief-0, 0, 3",
        "tfjob-chief-worker-0, 1, 3",
        "tfjob-chief-worker-1, 2, 3",
        "tfjob-workers-worker-0, 0, 2",
        "tfjob-workers-worker-1, 1, 2"
    })
    void forEnginesWithoutRolesTheChiefIsTheFirstNode(String recording, int index, int count) {
        Recorded recorded = record(recording);

        Site site = site(OF_NODES);

        assertThat(site.node().index()).hasValue(index);
        assertThat(site.node().count()).hasValue(count);
        assertThat(site.node().hosts()).hasSize(count);
        assertThat(site.node().hosts().get(index).name()).isEqualTo(recorded.hostName() + ".training.svc");
        assertThat(site.node().hostsByRole()).isEmpty();
        assertThat(site.unheard()).isEmpty();
    }

    @Test
    void anEvaluatorIsNoNodeOfEnginesWithoutRoles() {
        String config = "{'cluster':{'chief':['j-chief-0.n.svc:1'],'worker':['j-worker-0.n.svc:1'],"
                + "'evaluator':['j-evaluator-0.n.svc:1']},'task':{'type':'TYPE','index':0},'environment':'cloud'}";
        config(config.replace("TYPE", "worker"));

        assertThat(site(OF_NODES).node().count()).hasValue(2);
        assertThat(names(site(OF_NODES).node().hosts())).containsExactly("j-chief-0.n.svc", "j-worker-0.n.svc");
        config(config.replace("TYPE", "evaluator"));
        assertRefused(OF_NODES, "evaluator of a TFJob", "engine of-nodes", "--engine tensorflow-ps");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tfjob-ps-ps-0", "tfjob-ps-worker-1", "tfjob-chief-0"})
    void aJobWithPsIsRefusedForEnginesWithoutRoles(String recording) {
        record(recording);

        assertRefused(
                OF_NODES, "this TFJob has ps (TF_CONFIG)", "engine of-nodes", "--engine tensorflow-ps", "--hosts");
        Site said = site(OF_NODES, "hosts", "a,b", "node-index", "1");
        assertThat(said.node().count()).hasValue(2);
        assertThat(said.node().index()).hasValue(1);
        assertThat(site(OF_NODES, "platform", "none").platform().name()).isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource({"tfjob-dynamic-ps-0, ps, 0", "tfjob-dynamic-worker-0, worker, 0", "tfjob-dynamic-worker-1, worker, 1"})
    void whereWorkersMayComeAndGoNobodyCountsThem(String recording, String role, int index) {
        record(recording);

        Site site = site(OF_ROLES);

        assertThat(site.jobId()).isEqualTo("tf-dynamic");
        assertThat(site.node().role()).contains(role);
        assertThat(site.node().index()).hasValue(index);
        assertThat(site.node().count()).isEmpty();
        assertThat(site.node().hosts()).isEmpty();
        // An engine that follows the variable must say that there are others.
        assertThat(site.unheard()).singleElement().satisfies(claim -> {
            assertThat(claim.contradicts(1)).isTrue();
            assertThat(claim.contradicts(2)).isFalse();
        });
        assertRefused(OF_NODES, "enableDynamicWorker", "TF_CONFIG", "engine of-nodes must know all", "--nodes N");
    }

    @Test
    void aJobOfOneReplicaHasNoSign() {
        record("tfjob-single");

        assertThat(site(OF_ROLES).platform().name()).isEqualTo("none");
        Site named = site(OF_ROLES, "platform", "tfjob");
        assertThat(named.node().count()).isEqualTo(OptionalInt.of(1));
        assertThat(named.jobId()).isEqualTo("tf-one");
        assertThat(named.node().role()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "volcano-tensorflow-chief-0",
                "volcano-tensorflow-evaluator-0",
                "volcano-tensorflow-ps-0",
                "volcano-tensorflow-worker-1"
            })
    void whatVolcanoSaysIsVolcanos(String recording) {
        record(recording);

        assertThat(sign()).isEmpty();
    }

    @Test
    void aConfigIsATfJobsInsideKubernetesOrInTheCloud() {
        config("{'cluster':{'worker':['a:1','b:1']},'task':{'type':'worker','index':1}}");

        assertThat(sign()).isEmpty();
        variables.put("KUBERNETES_SERVICE_HOST", "10.96.0.1");
        assertThat(sign()).contains("set: TF_CONFIG, KUBERNETES_SERVICE_HOST");
        assertThat(site(OF_ROLES).node().count()).hasValue(2);
        config("{'environment':'cloud'}");
        assertThat(sign()).isEmpty();
        variables.clear();
        config("{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':0},'environment':'cloud'}");
        assertThat(sign()).contains("set: TF_CONFIG with \"environment\":\"cloud\"");
        assertThat(site(OF_ROLES).node().count()).hasValue(1);
    }

    @Test
    void anOlderOperatorsMasterIsAChiefAndItsEvaluatorIsNotInTheCluster() {
        String config = "{'cluster':{'master':['m-x-master-0.n.svc:2222'],'worker':['m-x-worker-0.n.svc:2222']},"
                + "'task':{'type':'TYPE','index':0},'environment':'cloud'}";
        config(config.replace("TYPE", "evaluator"));

        assertThat(site(OF_ROLES).node().role()).contains("evaluator");
        assertThat(site(OF_ROLES).node().count()).hasValue(3);
        assertThat(site(OF_ROLES).jobId()).isEqualTo("m-x");
        config(config.replace("TYPE", "worker"));
        assertThat(site(OF_ROLES).node().count()).hasValue(2);
        assertThat(site(OF_NODES).node().index()).hasValue(1);
    }

    @Test
    void hostsOfOtherNamesGiveNoJobId() {
        config(
                "{'cluster':{'worker':['10.0.0.1:1','[fe80::1]:1']},'task':{'type':'worker','index':1},'environment':'cloud'}");

        assertThat(site(OF_NODES).jobId()).startsWith("muster-");
        assertThat(names(site(OF_NODES).node().hosts())).containsExactly("10.0.0.1", "fe80::1");
        assertThat(site(OF_NODES, "job-id", "mine").jobId()).isEqualTo("mine");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no JSON",
                "[]",
                "{'cluster':[]}",
                "{'cluster':{}}",
                "{'cluster':{'worker':['a:1']}}",
                "{'cluster':{'worker':['a:1']},'task':7}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker'}}",
                "{'cluster':{'worker':['a:1']},'task':{'index':0}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':1}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':-1}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':'0'}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':99999999999999999999}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'ps','index':0}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'$(id)','index':0}}",
                "{'cluster':{'worker':'a:1'},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':[7]},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['$(touch x):1']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a\\nb:1']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a\\u001b[31m:1']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':{'x':'a:1'}},'task':{'type':'worker','index':0}}",
                "{'cluster':{'w\\nx':['a:1']},'task':{'type':'worker','index':0}}"
            })
    void whatIsWrongIsRefusedWithItsVariable(String config) {
        variables.put("KUBERNETES_SERVICE_HOST", "10.96.0.1");
        config(config);

        for (EngineDescriptor engine : List.of(OF_ROLES, OF_NODES)) {
            assertRefused(engine, "TF_CONFIG");
        }
    }

    @Test
    void tooManyMembersAreRefused() {
        config("{'cluster':{'worker':[" + workers(4097)
                + "]},'task':{'type':'worker','index':0},'environment':'cloud'}");
        assertRefused(OF_ROLES, "TF_CONFIG, /cluster has 4097 members", "at most 4096");
        config("{'cluster':{'worker':[" + workers(4096)
                + "]},'task':{'type':'worker','index':4095},'environment':'cloud'}");
        assertThat(site(OF_NODES).node().count()).hasValue(4096);
        config("{'cluster':{'worker':['" + "a".repeat(1_000_000)
                + ":1']},'task':{'type':'worker','index':0},'environment':'cloud'}");
        assertRefused(OF_ROLES, "TF_CONFIG");
    }

    private static String workers(int count) {
        return IntStream.range(0, count).mapToObj(index -> "'w" + index + ":1'").collect(Collectors.joining(","));
    }

    // --- where a replica stands

    private void config(String json) {
        variables.put("TF_CONFIG", json.replace('\'', '"'));
    }

    private Recorded record(String name) {
        Recorded recorded = Recorded.of(name);
        variables.putAll(recorded.environment());
        hostName = recorded.hostName();
        return recorded;
    }

    private Optional<String> sign() {
        return TfJob.KNOWN.reader().apply(evidence(OF_ROLES)).sign();
    }

    private Site site(EngineDescriptor engine, String... options) {
        Evidence evidence = evidence(engine);
        return SiteReader.read(
                evidence,
                TestSites.settings(evidence.world(), options),
                question -> {
                    throw new AssertionError("nobody has to ask " + question.command());
                },
                Clock.systemUTC());
    }

    private Evidence evidence(EngineDescriptor engine) {
        World world = TestWorlds.of(Path.of("/caller"), variables);
        NodeInfo machine = new NodeInfo(hostName, List.of("127.0.0.1"), 1000, Optional.empty(), 2);
        return new Evidence(world, machine, new MachineFiles(Path.of("/nowhere")), Optional.of(engine), Command.LAUNCH);
    }

    private void assertRefused(EngineDescriptor engine, String... words) {
        assertThatThrownBy(() -> site(engine))
                .isInstanceOfSatisfying(
                        MusterException.class,
                        refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCode.CONFIGURATION))
                .hasMessageContainingAll(words)
                .message()
                .matches("[ -~]{1,700}");
    }

    private static List<String> names(List<Host> hosts) {
        return hosts.stream().map(Host::name).toList();
    }

    private static EngineDescriptor engine(String id, List<String> roles) {
        return EngineDescriptor.builder(id, "for tests").roles(roles).build();
    }
}
