package rulekit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	builtin "github.com/flux-remedy/remedy/policies"

	"github.com/spf13/pflag"
	"sigs.k8s.io/yaml"
)

// Question is what is to be explained.
type Question struct {
	// Rule is the id of a rule, built-in or of the folders.
	Rule    string
	Folders []string
	// Input is the file of a HelmRelease; - is standard input. Of an example beside a
	// rule, what is beside it counts, as when rules are tested.
	Input string
	// Old is the file of the HelmRelease that it replaces, Alerts one with the Alerts and
	// Providers of its cluster; empty if there are none.
	Old, Alerts string
	// Config is the file of the configuration; by default the one found upward from the
	// working directory.
	Config string
	// Tier is the one that the release is judged in; production if empty.
	Tier string
	// Format is how it is written: text or json.
	Format string
}

// Register registers its flags.
func (q *Question) Register(flags *pflag.FlagSet) {
	flags.StringVar(&q.Input, "input", "", "`FILE` of a HelmRelease as it reaches the cluster, or - for standard input")
	flags.StringVar(&q.Old, "old", "", "`FILE` of the HelmRelease that it replaces, for rules about updates")
	flags.StringVar(&q.Alerts, "alerts", "", "`FILE` with the Alerts and Providers of its cluster")
	flags.StringVar(&q.Tier, "tier", "production", "`TIER` that it is judged in")
	flags.StringVar(&q.Config, "config", "", "configuration `FILE` (default: "+rules.ConfigFile+" found upward from the working directory)")
	flags.StringArrayVar(&q.Folders, "policy", nil, "folder `DIR` of rules of your own; repeatable")
	flags.StringVarP(&q.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(ExplainFormats(), ", "))
}

// ExplainFormats lists how an explanation can be written.
func ExplainFormats() []string { return []string{"text", "json"} }

func (q *Question) check() (release.Tier, error) {
	switch {
	case q.Input == "":
		return "", errors.New("--input: name the file of a HelmRelease, or - for standard input")
	case !slices.Contains(ExplainFormats(), q.Format):
		return "", fmt.Errorf("-o %s: unknown format: want %s", q.Format, strings.Join(ExplainFormats(), ", "))
	}
	tier, err := release.ParseTier(cmp.Or(q.Tier, string(release.Production)))
	if err != nil {
		return "", fmt.Errorf("--tier: %w", err)
	}
	return tier, nil
}

// Explain shows what a rule sees of a release, and where its Rego comes to an end.
func Explain(ctx context.Context, in io.Reader, out io.Writer, q Question) error {
	tier, err := q.check()
	if err != nil {
		return err
	}
	policies := load.Policies{Folders: q.Folders}
	if _, err := policies.Configure(load.OnDisk(nil, io.Discard), q.Config, "."); err != nil {
		return err
	}
	folders, err := policies.OpenFolders()
	if err != nil {
		return err
	}
	sources := []fs.FS{unprepared{builtin.FS}}
	for _, folder := range folders {
		sources = append(sources, folder)
	}
	engine, config, err := q.engine(ctx, sources)
	if err != nil {
		return err
	}
	named := engine.Named(q.Rule)
	if len(named) != 1 {
		return fmt.Errorf("there is no rule %q: \"flux-remedy rules\" lists them%s", q.Rule, rules.DidYouMean(q.Rule, engine.IDs()))
	}
	hr, err := q.release(in, tier, config)
	if err != nil {
		return err
	}
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
	if q.Format == "json" {
		return plain.WriteJSON(out, page.document())
	}
	_, err = io.WriteString(out, plain.Text(page.text()))
	return err
}

// engine compiles the rules under the configuration.
func (q Question) engine(ctx context.Context, sources []fs.FS) (*rules.Engine, *rules.Config, error) {
	config, err := q.config()
	if err != nil {
		return nil, nil, err
	}
	engine, err := rules.New(ctx, sources...)
	if err != nil {
		return nil, nil, err
	}
	engine, err = engine.Under(config)
	return engine, config, err
}

// config reads the configuration: the one that is named, the one beside an example, the one
// that is found.
func (q Question) config() (*rules.Config, error) {
	if q.Config != "" {
		config, err := load.ReadConfig(q.Config)
		return config.Config, err
	}
	if folder := q.beside(); folder != nil {
		if config, err := ruletest.ConfigBeside(folder); config != nil || err != nil {
			return config, err
		}
	}
	config, err := load.FindConfig(".")
	return config.Config, err
}

// beside returns the folder of an example; nil if the release is none.
func (q Question) beside() fs.FS {
	if !ruletest.IsExample(filepath.Base(q.Input)) {
		return nil
	}
	return files.Folder(filepath.Dir(q.Input))
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

// release reads the one that the rule is explained by.
func (q Question) release(in io.Reader, tier release.Tier, config *rules.Config) (hr *release.Release, err error) {
	if folder := q.beside(); folder != nil {
		if hr, err = ruletest.Example(folder, filepath.Base(q.Input), tier, config); err != nil {
			return nil, fmt.Errorf("--input %s: %w", q.Input, err)
		}
	} else {
		object, err := helmRelease(in, "--input", q.Input)
		if err != nil {
			return nil, err
		}
		if hr, err = release.Decode(object, config.ControllerAt(rules.Place{}, release.Controller{})); err != nil {
			return nil, fmt.Errorf("--input %s: %w", q.Input, err)
		}
		hr.Tier = tier
	}
	if q.Old != "" {
		if hr.Old, err = helmRelease(in, "--old", q.Old); err != nil {
			return nil, err
		}
	}
	if q.Alerts != "" {
		data, err := read(in, "--alerts", q.Alerts)
		if err != nil {
			return nil, err
		}
		if hr.Alerting, err = ruletest.Alerting(data, hr); err != nil {
			return nil, fmt.Errorf("--alerts %s: %w", q.Alerts, err)
		}
		if hr.Above, err = ruletest.Above(data, hr); err != nil {
			return nil, fmt.Errorf("--alerts %s: %w", q.Alerts, err)
		}
	}
	return hr, nil
}

func read(in io.Reader, flag, file string) (data []byte, err error) {
	if file == "-" {
		data, err = io.ReadAll(in)
	} else {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return data, nil
}

func helmRelease(in io.Reader, flag, file string) (map[string]any, error) {
	data, err := read(in, flag, file)
	if err != nil {
		return nil, err
	}
	var found []map[string]any
	for document := range strings.SplitSeq("\n"+string(data), "\n---") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			return nil, fmt.Errorf("%s %s: %w", flag, file, err)
		}
		if object["kind"] == "HelmRelease" {
			found = append(found, object)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s %s: it holds %d HelmReleases, want one: \"flux-remedy render --release NAMESPACE/NAME\" prints one", flag, file, len(found))
	}
	return found[0], nil
}
