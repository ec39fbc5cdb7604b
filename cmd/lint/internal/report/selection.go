package report

// Only returns the report with the findings of some rules. The others are counted in
// [Summary.NotSelected], unless they are waived, and nowhere else. What is undetermined
// stays, whatever its rules are.
func (r Report) Only(reported func(rule string) bool) Report {
	kept := []Finding{}
	s := r.Summary
	r.Summary.Errors, r.Summary.Warnings, r.Summary.Infos, r.Summary.Waived = 0, 0, 0, 0
	for _, f := range r.Findings {
		if reported(f.Rule) {
			kept = append(kept, f)
			r.Summary.count(f)
		}
	}
	now := r.Summary
	r.Summary.NotSelected = s.Errors + s.Warnings + s.Infos - now.Errors - now.Warnings - now.Infos
	r.Findings = kept
	return r
}
