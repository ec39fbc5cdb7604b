package forecast

// Brief returns how a run ends in a few words, without what leads there: "Stalled after 5m;
// stays so until someone acts".
func (o Outcome) Brief() string {
	if o.Endless() {
		return o.repeats() + o.human()
	}
	end := string(o.End)
	switch {
	case o.End == Idle:
		end = "not ready and not retried"
	case o.End == Deleted:
		end = "the HelmRelease is gone"
	}
	if o.After.Duration > 0 {
		end += " after " + Readable(o.After.Duration)
	}
	if o.NeedsHuman {
		end += o.human()
	}
	return end
}

// repeats says what goes on forever.
func (o Outcome) repeats() string {
	what := "tried again"
	if o.End == Waiting {
		what = "looked at again"
	}
	if o.Reason == "backoff" || o.End == Error {
		return what + " forever, up to " + Readable(o.Every.Duration) + " apart"
	}
	return what + " every " + Readable(o.Every.Duration) + ", forever"
}

func (o Outcome) human() string {
	if o.NeedsHuman {
		return "; stays so until someone acts"
	}
	return ", recovers once the cause is gone"
}

// Brief tells a timeline in a few words: "a failed upgrade and a rollback, then
// Stalled with RetriesExceeded".
func (l Timeline) Brief() string {
	var words []string
	out := l.Outcome
	for _, t := range tally(l.firstRound(), naming) {
		words = append(words, t.String())
	}
	end, again := string(out.End), out.End == Retrying || out.End == Error
	switch {
	case len(words) == 0 && (again || out.End == Idle):
		return "no change"
	case again:
		return enumerate(words) + ", over and over"
	case out.End == Stalled:
		end += " with " + out.Reason
	case out.End == Idle:
		end = "nothing more"
	}
	if len(words) == 0 {
		return end
	}
	return enumerate(words) + ", then " + end
}

// firstRound returns the steps up to the end of the first round of what
// repeats itself.
func (l Timeline) firstRound() []Step {
	if !l.Outcome.Endless() {
		return l.Steps
	}
	once, round := repeated(l.Steps)
	return l.Steps[:once+len(round)]
}
