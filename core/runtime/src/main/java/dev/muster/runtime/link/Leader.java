package dev.muster.runtime.link;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The leader's side of the link: all members connect to it, and it decides how the job ends. */
final class Leader implements Party {

    private final Membership membership;
    private final ProcessTable processes;
    private final JobTermination termination;
    private final PlanComparison comparison;
    private final AdmissionController admissions;
    private final LivenessCheck liveness;
    private final AttemptBarrier barrier;
    private boolean isGone;

    Leader(LinkSettings settings, LinkLog log, long now) {
        membership = new Membership(settings.launchers(), now);
        processes = new ProcessTable(membership);
        termination = new JobTermination(settings, membership, processes, now);
        barrier = new AttemptBarrier(settings.run(), membership, now);
        comparison = new PlanComparison(membership, termination, barrier, log);
        admissions = new AdmissionController(settings, membership, termination, barrier);
        liveness = new LivenessCheck(settings, membership, termination, barrier, log, now);
    }

    @Override
    public void onLocalEvent(LocalEvent said, long now) {
        handle(membership.own(), said, now);
        decide(now);
    }

    private void handle(MemberState member, LocalEvent said, long now) {
        if (said instanceof LocalEvent.Awaiting awaiting) {
            member.setAwaits(awaiting.what(), now);
        } else if (said instanceof LocalEvent.Planned planned) {
            member.setPlan(planned);
            planned.watched().forEach(process -> processes.watch(member, process));
            comparison.onPlanned(member, now);
        } else if (said instanceof LocalEvent.Here here) {
            if (!member.digest().equals(Optional.of(here.digest()))) {
                endReplanned(member, now);
            }
            member.setDigest(here.digest());
        } else if (said instanceof LocalEvent.Started started) {
            processes.onStarted(member, started, now);
        } else if (said instanceof LocalEvent.Ready ready) {
            processes.onReady(member, ready);
        } else if (said instanceof LocalEvent.Ended ended) {
            processes.onEnded(member, ended, now);
        } else {
            handleEnd(member, said, now);
        }
    }

    /** A launcher found another rank table just when the attempt began. It plans again, and cannot know that the attempt has begun. */
    private void endReplanned(MemberState member, long now) {
        if (barrier.isUsed() && barrier.hasBegun() && !termination.isEnding()) {
            String reason = "the files of the job's nodes changed while the run began, and its launcher plans anew";
            termination.end(JobEnd.lost(member.name(), member.host(), reason), now);
        }
    }

    private void handleEnd(MemberState member, LocalEvent said, long now) {
        if (said instanceof LocalEvent.Over over) {
            termination.onOver(member, over, now);
        } else if (said instanceof LocalEvent.Heeded) {
            member.markAnswered();
        } else if (said instanceof LocalEvent.Succeeded succeeded) {
            termination.onSucceeded(member, succeeded);
        } else if (said instanceof LocalEvent.OfQuestion) {
            handleQuestion(member, said);
        } else if (said instanceof LocalEvent.Left left) {
            endReplanned(member, now);
            termination.onLeft(member, left.exitCode());
            if (member == membership.own()) {
                isGone = true;
                membership.tellAll(new LeaderMessage.Goodbye());
            }
        }
    }

    /** Passes questions on to all launchers, and answers to the launcher that asked. */
    private void handleQuestion(MemberState member, LocalEvent said) {
        if (said instanceof LocalEvent.Asked asked) {
            membership.all().stream().filter(other -> other != member).forEach(other -> pass(asked, member, other));
        } else if (said instanceof LocalEvent.Answered answered) {
            LinkEvent answer = new LinkEvent.Answer(member.name(), answered.id(), answered.piece(), answered.isLast());
            membership.member(answered.asker()).ifPresent(asker -> membership.tell(asker, answer));
        }
    }

    private void pass(LocalEvent.Asked asked, MemberState asker, MemberState other) {
        if (other.isPresent()) {
            membership.tell(other, new LinkEvent.Question(asker.name(), asked.id(), asked.kind(), asked.question()));
        } else {
            membership.tell(asker, new LinkEvent.NoAnswer(other.name(), asked.id(), absence(other)));
        }
    }

    private static String absence(MemberState member) {
        String why = member.why().map(reason -> " (" + reason + ")").orElse("");
        return member.hasLeft()
                ? "its launcher has ended"
                : member.isAbsent() ? "its launcher has not come yet" + why : "its launcher is not connected" + why;
    }

    /** Plans are compared only when the attempt begins, since until then launchers may plan again. */
    private void decide(long now) {
        if (liveness.wasSuspended(now)) {
            return;
        }
        if (!termination.isEnding() && barrier.isReady()) {
            comparison.compareAll(now);
            if (!termination.isEnding()) {
                barrier.begin();
            }
        }
        termination.decide(now);
    }

    @Override
    public Optional<Rejection> admit(String peer, String run, Optional<String> host, long now) {
        return isGone
                ? Optional.of(Rejection.forNow("its leader is about to leave"))
                : admissions.admit(peer, LinkRun.read(run), host, now);
    }

    @Override
    public void onConnected(String peer, String run, long now) {
        membership.member(peer).filter(member -> member != membership.own()).ifPresent(member -> {
            LinkRun name = LinkRun.read(run);
            boolean isNew = !member.run().equals(Optional.of(name));
            if (isNew) {
                barrier.addRun(member, name);
                member.setRun(name, new Channel(now));
                processes.forget(member);
            }
            Channel channel = member.channel().orElseThrow();
            channel.connected(now);
            membership.queueUnsent(member);
            if (isNew) {
                termination.tellMissed(member);
            }
            barrier.check(now);
        });
    }

    @Override
    public void onDisconnected(String peer, String why, Disconnection how, long now) {
        membership.member(peer).ifPresent(member -> {
            member.setWhy(why);
            member.channel().ifPresent(channel -> channel.disconnected(now));
            membership.onSent(member);
        });
    }

    @Override
    public void endJob(JobEnd end, long now) {
        termination.end(end, now);
        termination.decide(now);
    }

    @Override
    public void onReceived(String peer, Channel.Batch batch, long now) {
        membership
                .member(peer)
                .ifPresent(member -> member.channel().ifPresent(channel -> {
                    List<Map<String, Object>> messages = channel.receive(batch, now);
                    messages.forEach(message ->
                            Messages.read(message, LocalEvent.class).ifPresent(said -> handle(member, said, now)));
                    membership.queueUnsent(member);
                    if (!messages.isEmpty()) {
                        decide(now);
                    }
                }));
    }

    @Override
    public Set<String> toSend(long now) {
        return membership.toSend(now);
    }

    @Override
    public Channel.Batch next(String peer, long now) {
        MemberState member = membership.member(peer).orElseThrow();
        Channel.Batch batch = member.channel().orElseThrow().next(now);
        membership.onSent(member);
        return batch;
    }

    @Override
    public boolean isAllConfirmed() {
        return membership.all().stream()
                .flatMap(member -> member.channel().stream())
                .allMatch(Channel::isConfirmed);
    }

    @Override
    public void check(long now) {
        // The cost grows with the number of launchers, so this does not run for every message.
        if (liveness.check(now) || termination.isEnding()) {
            decide(now);
        }
    }

    @Override
    public long nextCheck(long now) {
        return Math.min(liveness.nextCheck(), membership.nextSend(now));
    }

    @Override
    public List<LinkEvent> drainEvents() {
        return membership.events().drain();
    }

    @Override
    public LinkReport report() {
        return new LinkReport(membership.all().stream()
                .map(member -> member.report(processes))
                .toList());
    }
}
