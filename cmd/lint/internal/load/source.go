package load

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
	"github.com/flux-remedy/remedy/cmd/lint/internal/sandbox"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Source says what is read, the same for every command that reads a tree.
type Source struct {
	Config   string            // --config
	Clusters []string          // --cluster
	Sources  map[string]string // --source
	Policies Policies
	// Unapplied asks for what no cluster applies, too.
	Unapplied bool

	// Charts are folders with charts, and Rendered is one with what they give: --charts, --rendered.
	Charts   []string
	Rendered string

	// Lean is true if nobody asks for the values of releases.
	Lean bool

	// Builder builds all that the command reads.
	Builder *build.Builder

	library *charts.Library // of Charts and Rendered; nil without
}

// Loaded is what was read, and how.
type Loaded struct {
	Tree    *effective.Tree
	Config  judge.Configuration
	Options effective.Options

	engine *rules.Engine
	paths  []string
}

// Engine compiles the policies: those that flags name, or those of the configuration that a
// snapshot has for a path; without a path, for the working directory.
func (s *Source) Engine(ctx context.Context, from Snapshot, path string) (*rules.Engine, error) {
	return s.Policies.OpenUnder(ctx, from, s.Config, cmp.Or(path, "."))
}

// Load reads what the paths name, under its configuration.
func (s *Source) Load(ctx context.Context, p Process, engine *rules.Engine, from Snapshot, paths []string) (Loaded, error) {
	if err := checkArguments(s.Clusters, s.Sources); err != nil {
		return Loaded{}, err
	}
	p.Beside(s.Builder)
	if err := s.openCharts(p); err != nil {
		return Loaded{}, err
	}
	busy := p.Begin("reading " + strings.Join(paths, ", "))
	defer busy.Stop()
	opts, config, err := s.Open(ctx, from, paths)
	if err != nil {
		return Loaded{}, err
	}
	if from.Edit != nil {
		if opts, err = from.Edit(opts); err != nil {
			return Loaded{}, err
		}
	}
	if err := checkConfig(from.Notes, engine, config); err != nil {
		return Loaded{}, err
	}
	opts.Progress = func(what string) {
		busy.Show(what)
		p.Watch.Show(what)
	}
	tree, err := effective.Load(ctx, opts)
	if err == nil && from.Notes != nil {
		noteNoCluster(from.Notes, opts, tree)
	}
	return Loaded{Tree: tree, Config: config, Options: opts, engine: engine, paths: paths}, err
}

// noteNoCluster says which clusters there are, if none of them is asked for.
func noteNoCluster(notes io.Writer, opts effective.Options, tree *effective.Tree) {
	names := tree.Entered()
	if len(names) > 0 && !slices.ContainsFunc(append(tree.ClusterNames(), names...), opts.Wants) {
		fmt.Fprintln(notes, plain.Line("flux-remedy: no cluster has a name that --cluster "+strings.Join(opts.Clusters, ",")+" matches: there are "+words.First(names, 8, "")))
	}
}

// Open opens what the paths name.
func (s *Source) Open(ctx context.Context, from Snapshot, paths []string) (effective.Options, judge.Configuration, error) {
	config, err := s.Policies.Over(from).Config(s.Config, paths[0])
	if err != nil {
		return effective.Options{}, config, err
	}
	opts, err := s.openUnder(ctx, from, paths, config)
	return opts, config, err
}

func (s *Source) openUnder(ctx context.Context, from Snapshot, paths []string, config judge.Configuration) (effective.Options, error) {
	inputs, err := from.Inputs(ctx, s.Builder, paths, config)
	if err != nil {
		return effective.Options{}, err
	}
	dirs, err := sourcesOf(config, s.Sources, s.Policies.Trusted(s.Config))
	if err != nil {
		return effective.Options{}, err
	}
	sources, err := from.Sources(ctx, config, dirs)
	return effective.Options{
		Inputs: inputs, Config: config.Config, ConfigDir: config.Dir(), ConfigFile: judge.FromHere(config.File), ConfigLine: config.Line,
		Clusters: s.Clusters, Unapplied: s.Unapplied, Lean: s.Lean && s.library == nil, Charts: s.library, Sources: sources, Builder: s.Builder, Now: time.Now(),
	}, err
}

// ClusterNames lists the clusters that have a name; none if they cannot be read.
func (s *Source) ClusterNames(ctx context.Context, p Process, paths []string) []string {
	if slices.Contains(paths, "-") {
		return nil
	}
	opts, _, err := s.Open(ctx, p.Disk(), paths)
	if err != nil {
		return nil
	}
	opts.Clusters = nil
	tree, err := effective.Load(ctx, opts)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(tree.ClusterNames(), func(name string) bool { return !plain.Is(name) })
}

// chartProgram renders charts. It lies beside this program, or in the PATH.
const chartProgram = "flux-remedy-charts"

// openCharts prepares the library of charts, if there is any.
func (s *Source) openCharts(p Process) error {
	if len(s.Charts) == 0 && s.Rendered == "" || s.library != nil {
		return nil
	}
	library := &charts.Library{Dirs: s.Charts, Rendered: s.Rendered}
	if err := library.Check(); err != nil {
		return err
	}
	program, err := installed(chartProgram)
	if len(s.Charts) > 0 && err != nil {
		return err
	}
	worker := sandbox.Worker{Program: program, Memory: limits.Default().Share}
	if p.Watch != nil {
		worker.Memory = p.Watch.Share
	}
	library.Render = func(job charts.Job, out *charts.Result) error { return worker.Do(job, out) }
	s.library = library
	return nil
}

// installed returns the file of a program that lies beside this one, or else in the PATH.
func installed(name string) (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	if own, err = filepath.EvalSymlinks(own); err != nil {
		return "", err
	}
	file := filepath.Join(filepath.Dir(own), name+filepath.Ext(own))
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if file, err = exec.LookPath(name); err != nil {
		return "", fmt.Errorf("--charts: %s renders charts, and is neither beside this program nor in the PATH: put it there, or render them yourself and give --rendered", name)
	}
	return file, nil
}

// Process is what reading uses of the process.
type Process struct {
	In  io.Reader
	Err io.Writer

	Watch  *limits.Watch                    // nil in tests
	Render func(sandbox.Job) sandbox.Result // renders templates; nil does it here
}

// Disk reads the disk, and "-" from standard input.
func (p Process) Disk() Snapshot { return OnDisk(p.In, p.Err) }

// Begin says on a terminal what is being done, and in errors that end it.
func (p Process) Begin(what string) *terminal.Progress {
	p.Watch.Show(what)
	return terminal.StartProgress(p.Err, what)
}

// Beside has builds do what must not happen in this process, or not for long.
func (p Process) Beside(b *build.Builder) {
	b.Step = p.Watch.Step
	if p.Render != nil {
		b.Render = p.Render
	}
}
