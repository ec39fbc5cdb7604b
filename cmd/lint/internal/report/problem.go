package report

// Problem is something that could not be read.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	// Waiver reports whether an annotation or a comment was meant to waive a rule, and does not.
	Waiver bool `json:"waiver,omitempty"`
}

// Head says in a few words what is wrong.
func (p Problem) Head() string {
	if p.Waiver {
		return "waives nothing"
	}
	return "cannot be read"
}
