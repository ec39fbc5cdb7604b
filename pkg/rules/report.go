package rules

// told is what the policies say of a release, and of all that are set alike.
type told struct {
	class     Class
	classOpen []int // unknown fields on which it depends, as indexes into those of the release
	report    []report
	open      []openRule
}

// openRule is a rule that depends on unknown fields.
type openRule struct {
	rule   *Rule
	fields []int
}

// report is a finding in the shape that Rego returns.
type report struct {
	Rule     string `json:"rule"`
	Category string `json:"category"`
	Message  string `json:"message"`
	Path     []any  `json:"path"`
	Object   string `json:"object"`
	// Raise is how many steps worse than the rule's severity this finding is.
	Raise   int     `json:"raise"`
	Written bool    `json:"written"`
	Key     bool    `json:"key"`
	Degree  float64 `json:"degree"`
	// Since is the version since which the rule reports it, if that is not the rule's own.
	Since string `json:"since"`
	// Scenario is shown instead of the rule's.
	Scenario string     `json:"scenario"`
	Fix      *reportFix `json:"fix"`
	Help     string     `json:"help"`
	// Open says, instead of all else, why the rule cannot be checked.
	Open string `json:"open"`
}

type reportFix struct {
	Safe  bool         `json:"safe"`
	Set   []reportEdit `json:"set"`
	Other *struct {
		Class Class        `json:"class"`
		Safe  bool         `json:"safe"`
		Set   []reportEdit `json:"set"`
	} `json:"other"`
}

type reportEdit struct {
	Object string `json:"object"`
	Path   []any  `json:"path"`
	Value  any    `json:"value"`
}

// answer is what a rule says of an input, or the class of a release.
type answer struct {
	class  Class
	report []report
	// open are the unknown fields that it reads, as indexes into those of the release.
	open []int
}

// answerSize is about how many bytes an answer takes, and a finding without its texts.
const answerSize = 300

// Size says about how many bytes it takes.
func (a answer) Size() int { return answerSize + 8*len(a.open) + sizeOf(a.report) }

func sizeOf(all []report) (size int) {
	for _, r := range all {
		size += 2*answerSize + len(r.Message) + len(r.Help)
	}
	return size
}

// Size says about how many bytes it takes.
func (t told) Size() int {
	size := answerSize + sizeOf(t.report)
	for _, o := range t.open {
		size += answerSize + 8*len(o.fields)
	}
	return size
}
