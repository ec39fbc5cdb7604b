package forecast

// Brief returns how a run ends in a few words, without what leads there: "Stalled after 5m;
// stays so until someone acts".
func (o Outcome) Brief() string {
	if o.endless() {
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
