/**
 * Where the launcher runs: the platform, and what it and the options say of the job, this node and its directories.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>the platforms, and which one it is</td>
 *       <td>{@code PlatformCatalog}, {@code PluginPlatform}, {@code DetectedPlatform}; a {@code PlatformReader} reads by an {@code EvidenceReader}</td></tr>
 *   <tr><td>platform and options taken together</td>
 *       <td>{@code JobResolver}, {@code ResolvedJob}, {@code NodePosition}</td></tr>
 *   <tr><td>a job is never taken for one node silently</td>
 *       <td>{@code Sign}, {@code FrameworkSigns}, {@code Claim}</td></tr>
 *   <tr><td>Huawei: ModelArts, MindX DL, ascend-operator; Apulis</td>
 *       <td>{@code ModelArts}, {@code MindXDl}, {@code AcJob}, {@code Apulis}</td></tr>
 *   <tr><td>Kubeflow and Kubernetes</td>
 *       <td>{@code Kubernetes}, {@code TorchJob}, {@code PyTorchJob}, {@code TfJob}, {@code MpiJob}, {@code JaxJob}, {@code Trainer}, {@code IndexedJob}</td></tr>
 *   <tr><td>Volcano, and its plugins</td>
 *       <td>{@code Volcano}, {@code VolcanoJob}, {@code VolcanoTasks}, {@code SshPlugin}</td></tr>
 *   <tr><td>Slurm</td>
 *       <td>{@code Slurm}, {@code SlurmNodes}, {@code Hostlist}</td></tr>
 *   <tr><td>what others start or schedule</td>
 *       <td>{@code OuterMpirun}; {@code ClusterReader}, {@code HostNames}: SkyPilot, LeaderWorkerSet, SageMaker, PBS, LSF, Grid Engine</td></tr>
 *   <tr><td>the machine itself</td>
 *       <td>{@code NodeInfoReader}, {@code MachineFiles}, {@code LocalEvidence}</td></tr>
 *   <tr><td>simulated platforms, for {@code muster simulate}</td>
 *       <td>{@code SimulatedPlatform}, {@code SimulatedEnvironment}, {@code SimulatedHosts}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.platform;

import org.jspecify.annotations.NullMarked;
