package authoring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/configfile"
	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"

	"sigs.k8s.io/yaml"
)

// Question is what is to be explained.
type Question struct {
	// Rule is the id of a rule, built-in or of the folders.
	Rule    string
	Folders []string
	// Input is the file of a HelmRelease; - is standard input.
	Input string
	// Config is the file of the configuration; by default the one found upward from the
	// working directory.
	Config string
	// Tier is the one that the release is judged in; production if empty.
	Tier string
}

// Explain shows what a rule sees of a release, and where its Rego comes to an end.
func Explain(ctx context.Context, in io.Reader, out io.Writer, q Question) error {
	tier, err := release.ParseTier(cmp.Or(q.Tier, string(release.Production)))
	if err != nil {
		return fmt.Errorf("--tier: %w", err)
	}
	if q.Input == "" {
		return errors.New("--input: name the file of a HelmRelease, or - for standard input")
	}
	sources := []fs.FS{unprepared{policies.FS}}
	for _, folder := range q.Folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return fmt.Errorf("--policy %s: no such folder", folder)
		}
		sources = append(sources, files.Folder(folder))
	}
	engine, config, err := q.engine(ctx, sources)
	if err != nil {
		return err
	}
	named := engine.Named(q.Rule)
	if len(named) != 1 {
		return fmt.Errorf("there is no rule %q: \"flux-remedy rules\" lists them%s", q.Rule, rules.DidYouMean(q.Rule, engine.IDs()))
	}
	hr, err := readRelease(in, q.Input, config)
	if err != nil {
		return err
	}
	hr.Tier = tier
	explained, err := engine.Explain(ctx, named[0], hr)
	if err != nil {
		return err
	}
	verdict, err := engine.Evaluate(ctx, hr, time.Now())
	if err != nil {
		return err
	}
	source, err := fs.ReadFile(sources[named[0].Origin.Source], named[0].Origin.File)
	if err != nil {
		return err
	}
	page := explanation{engine, named[0], hr, explained, verdict, string(source)}
	_, err = io.WriteString(out, plain.Text(page.text()))
	return err
}

// engine compiles the rules under the configuration.
func (q Question) engine(ctx context.Context, sources []fs.FS) (*rules.Engine, *rules.Config, error) {
	file, read := q.Config, configfile.Read
	if file == "" {
		file, read = ".", configfile.Find
	}
	config, err := read(file)
	if err != nil {
		return nil, nil, err
	}
	engine, err := rules.New(ctx, sources...)
	if err != nil {
		return nil, nil, err
	}
	engine, err = engine.Under(config.Config)
	return engine, config.Config, err
}

// unprepared are policies that are compiled although they are prepared: for their lines.
type unprepared struct{ fs.FS }

// Open implements [fs.FS].
func (u unprepared) Open(name string) (fs.File, error) {
	if name == rules.PreparedFile {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.FS.Open(name)
}

// readRelease reads the one HelmRelease of a file.
func readRelease(in io.Reader, file string, config *rules.Config) (*release.Release, error) {
	var data []byte
	var err error
	if file == "-" {
		data, err = io.ReadAll(in)
	} else {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, fmt.Errorf("--input: %w", err)
	}
	var found []map[string]any
	for document := range strings.SplitSeq("\n"+string(data), "\n---") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			return nil, fmt.Errorf("--input %s: %w", file, err)
		}
		if object["kind"] == "HelmRelease" {
			found = append(found, object)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("--input %s: it holds %d HelmReleases, want one: \"flux-remedy render --release NAMESPACE/NAME\" prints one", file, len(found))
	}
	hr, err := release.Decode(found[0], config.ControllerAt(rules.Place{}, release.Controller{}))
	if err != nil {
		return nil, fmt.Errorf("--input %s: %w", file, err)
	}
	return hr, nil
}

// explanation is what is said of a rule and a release.
type explanation struct {
	engine  *rules.Engine
	rule    rules.Rule
	release *release.Release
	*rules.Explanation
	verdict rules.Verdict
	source  string
}

func (e explanation) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s/%s in %s, helm-controller %s\n\n", e.rule.ID, e.release.Namespace, e.release.Name, e.release.Tier, e.release.Controller.Version)
	b.WriteString("It saw\n")
	for _, seen := range e.Saw {
		fmt.Fprintf(&b, "  %s: %s\n", seen.Path, shortened(cmp.Or(seen.Value, "not there")))
	}
	if len(e.Saw) == 0 {
		b.WriteString("  nothing of the release\n")
	}
	fmt.Fprintf(&b, "\n%s\n\n", e.outcome())
	b.WriteString("+ was so at least once, - was never so; a line without a mark was not reached\n")
	for i, line := range strings.Split(strings.TrimRight(e.source, "\n"), "\n") {
		if number := i + 1; number >= e.rule.Origin.Line && !strings.HasPrefix(line, "#") {
			fmt.Fprintf(&b, "%5d %s %s\n", number, e.mark(number), strings.ReplaceAll(line, "\t", "    "))
		}
	}
	return b.String()
}

func (e explanation) mark(number int) string {
	switch held, reached := e.Lines[number]; {
	case held:
		return "+"
	case reached:
		return "-"
	}
	return " "
}

// outcome says what the rule says, and what becomes of it.
func (e explanation) outcome() string {
	own := func(f rules.Finding) bool { return f.Rule == e.rule.ID }
	switch severity := e.engine.Severity(e.rule, e.release.Tier); {
	case severity == rules.Off:
		return fmt.Sprintf("It is off in %s, and reports nothing.", e.release.Tier)
	case len(e.Findings) == 0:
		return "It reports nothing."
	case !slices.ContainsFunc(e.verdict.Findings, own):
		var others []string
		for _, f := range e.verdict.Findings {
			others = append(others, f.Rule)
		}
		return "It would report, but others that report here silence it: " + strings.Join(slices.Compact(others), ", ") + "."
	}
	var said []string
	for _, f := range slices.DeleteFunc(slices.Clone(e.verdict.Findings), func(f rules.Finding) bool { return !own(f) }) {
		text := fmt.Sprintf("It reports %s: %s: %s", f.Path, f.Severity, f.Message)
		if f.Waiver != nil {
			text += " (waived: " + f.Waiver.Reason + ")"
		}
		said = append(said, text)
	}
	return strings.Join(said, "\n")
}

const longestValue = 200

func shortened(value string) string {
	if runes := []rune(value); len(runes) > longestValue {
		return string(runes[:longestValue]) + " ..."
	}
	return value
}
