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
    public void say(LocalEvent said, long now) {
        said(membership.own(), said, now);
        goOn(now);
    }

    private void said(MemberState member, LocalEvent said, long now) {
        if (said instanceof LocalEvent.Awaiting awaiting) {
            member.awaits(awaiting.what(), now);
        } else if (said instanceof LocalEvent.Planned planned) {
            member.planned(planned);
            planned.watched().forEach(process -> processes.watch(member, process));
            comparison.planned(member, now);
        } else if (said instanceof LocalEvent.Here here) {
            if (!member.digest().equals(Optional.of(here.digest()))) {
                givesUp(member, now);
            }
            member.here(here.digest());
        } else if (said instanceof LocalEvent.Started started) {
            processes.started(member, started, now);
        } else if (said instanceof LocalEvent.Ready ready) {
            processes.ready(member, ready);
        } else if (said instanceof LocalEvent.Ended ended) {
            processes.ended(member, ended, now);
        } else {
            saidOfTheEnd(member, said, now);
        }
    }

    /** A launcher found another rank table just when the attempt began. It plans again, and cannot know that the attempt has begun. */
    private void givesUp(MemberState member, long now) {
        if (barrier.gathers() && barrier.isOver() && !termination.isEnding()) {
            String reason = "the files of the job's nodes changed while the run began, and its launcher plans anew";
            termination.end(JobEnd.lost(member.name(), member.host(), reason), now);
        }
    }

    private void saidOfTheEnd(MemberState member, LocalEvent said, long now) {
        if (said instanceof LocalEvent.Over over) {
            termination.over(member, over, now);
        } else if (said instanceof LocalEvent.Heeded) {
            member.answered();
        } else if (said instanceof LocalEvent.Succeeded succeeded) {
            termination.succeeded(member, succeeded);
        } else if (said instanceof LocalEvent.OfQuestion) {
            saidOfQuestion(member, said);
        } else if (said instanceof LocalEvent.Left left) {
            givesUp(member, now);
            termination.left(member, left.exitCode());
            if (member == membership.own()) {
                isGone = true;
                membership.tellAll(new LeaderMessage.Goodbye());
            }
        }
    }

    /** Passes questions on to all launchers, and answers to the launcher that asked. */
    private void saidOfQuestion(MemberState member, LocalEvent said) {
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
    private void goOn(long now) {
        if (liveness.isLate(now)) {
            return;
        }
        if (!termination.isEnding() && barrier.isReady()) {
            comparison.all(now);
            if (!termination.isEnding()) {
                barrier.begin();
            }
        }
        termination.look(now);
    }

    @Override
    public Optional<Rejection> admit(String peer, String run, Optional<String> host, long now) {
        return isGone
                ? Optional.of(Rejection.forNow("its leader is about to leave"))
                : admissions.admit(peer, LinkRun.read(run), host, now);
    }

    @Override
    public void connected(String peer, String run, long now) {
        membership.member(peer).filter(member -> member != membership.own()).ifPresent(member -> {
            LinkRun name = LinkRun.read(run);
            boolean isNew = !member.run().equals(Optional.of(name));
            if (isNew) {
                barrier.takes(member, name);
                member.take(name, new Channel(now));
                processes.forget(member);
            }
            Channel channel = member.channel().orElseThrow();
            channel.connected(now);
            membership.mustSend(member);
            if (isNew) {
                termination.tellBefore(member);
            }
            barrier.look(now);
        });
    }

    @Override
    public void disconnected(String peer, String why, Disconnection how, long now) {
        membership.member(peer).ifPresent(member -> {
            member.isNotHere(why);
            member.channel().ifPresent(channel -> channel.disconnected(now));
            membership.sent(member);
        });
    }

    @Override
    public void ended(JobEnd end, long now) {
        termination.end(end, now);
        termination.look(now);
    }

    @Override
    public void received(String peer, Channel.Batch batch, long now) {
        membership
                .member(peer)
                .ifPresent(member -> member.channel().ifPresent(channel -> {
                    List<Map<String, Object>> messages = channel.receive(batch, now);
                    messages.forEach(message ->
                            Messages.read(message, LocalEvent.class).ifPresent(said -> said(member, said, now)));
                    membership.mustSend(member);
                    if (!messages.isEmpty()) {
                        goOn(now);
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
        membership.sent(member);
        return batch;
    }

    @Override
    public boolean isAllSeen() {
        return membership.all().stream()
                .flatMap(member -> member.channel().stream())
                .allMatch(Channel::isSeen);
    }

    @Override
    public void look(long now) {
        // The cost grows with the number of launchers, so this does not run for every message.
        if (liveness.look(now) || termination.isEnding()) {
            goOn(now);
        }
    }

    @Override
    public long nextLook(long now) {
        return Math.min(liveness.next(), membership.nextSend(now));
    }

    @Override
    public List<LinkEvent> heard() {
        return membership.events().drain();
    }

    @Override
    public LinkReport report() {
        return new LinkReport(membership.all().stream()
                .map(member -> member.report(processes))
                .toList());
    }
}
