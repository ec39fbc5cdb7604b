package forecast

// fresh returns a release that has just been created.
func fresh(spec spec) state { return state{spec: spec, status: status{generation: 1}} }

// installed returns a release whose first install of the old version went well,
// with its tests if it has any. The new version has just been published.
func installed(spec spec) state {
	s := fresh(spec)
	s.storage = storage{records: []record{{revision: 1, status: deployed, version: Old, content: 2}}, contents: 2}
	s.workload = workload{version: Old, healthy: true}
	o := &s.status
	o.finalizer, o.last = true, Install
	o.observedGeneration, o.attemptedGeneration, o.attemptedVersion = o.generation, o.generation, Old
	latest := snapshot{record: s.storage.records[0], action: Install}
	o.mark(released, isTrue, reasonInstallSucceeded)
	if spec.Test.Enable {
		latest.tests = passed
		o.mark(testSuccess, isTrue, reasonTestSucceeded)
	}
	o.history = history{latest}
	s.summarize()
	return s
}
