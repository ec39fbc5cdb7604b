package report

// Cause is what makes a finding, of however many releases of however many clusters: the
// rule, and the field that decides. It stays the same as long as that field is written
// in its file: it has no line, no message and no value.
type Cause struct {
	Rule string `json:"rule"`
	// File holds the field.
	File string `json:"file"`
	// Field names it in the file: the object, and the path in it.
	Field string `json:"field"`
}

// Cause returns what makes a finding.
func (f Finding) Cause() Cause { return Cause{f.Rule, f.File, f.Field} }
