package dev.muster.runtime.link;

/** The leader passes questions on to all launchers, and their answers to the one that has asked. */
record QuestionRelay(Membership membership) {

    void said(MemberState member, LocalEvent said) {
        if (said instanceof LocalEvent.Asked asked) {
            membership.all().stream().filter(other -> other != member).forEach(other -> pass(asked, member, other));
        } else if (said instanceof LocalEvent.Answered answered) {
            membership
                    .member(answered.asker())
                    .ifPresent(asker -> membership.tell(
                            asker,
                            new LinkEvent.Answer(member.name(), answered.id(), answered.piece(), answered.isLast())));
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
}
