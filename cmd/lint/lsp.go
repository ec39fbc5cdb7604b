package main

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/editor"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newLSP(std streams) *cobra.Command {
	l := &lint{}
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor: findings, repairs and settings while you type",
		Long: `Serve an editor by the language server protocol, on standard input and output.

It shows what lint finds in open files, as they are in the editor; offers the edits
that --fix would write; says of a setting what is in force, what sets it and what
happens in a failure; and goes to the line that decides. It writes no file.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.serve(cmd.Context(), std) },
	}
	l.source.register(cmd)
	l.selectFlags.register(cmd)
	minSeverityFlag(cmd, &l.minSeverity, report.Formats())
	return cmd
}

func (l *lint) serve(ctx context.Context, std streams) error {
	listed, err := report.Listed(l.minSeverity, rules.Error)
	if err != nil {
		return err
	}
	remember := func() {
		l.Builder = build.NewBuilder()
		l.Builder.Table.ListWriters = true
	}
	remember()
	std.watch.Rest()
	std.err = &onceWriter{std.err, map[string]bool{}} // the tree is judged at each key
	kept := map[string]*rules.Engine{}                // by folder, until files change: to compile policies takes a quarter of a look
	trees := load.Trees{}                             // until files change: to read them takes a third of a look
	saved := 0
	server := editor.Server{Version: buildVersion(), MinSeverity: listed, Look: func(ctx context.Context, at editor.Place) (editor.View, error) {
		defer std.watch.Turn()()
		if std.watch.Crowded() {
			remember() // builds of former texts go
			trees = load.Trees{}
		}
		if at.Saved != saved {
			clear(kept)
			trees = load.Trees{}
			saved = at.Saved
		}
		if kept[at.Root] == nil {
			engine, err := l.Engine(ctx, onDisk(std), at.Root)
			if err != nil {
				return editor.View{}, err
			}
			kept[at.Root] = engine
		}
		from := onDisk(std).Kept() // files change while an editor is open
		if at.Watched {
			from = from.Once(at.Root, &trees)
		}
		return l.view(ctx, std, kept[at.Root], from, at)
	}}
	return server.Serve(ctx, std.in, std.out)
}

// onceWriter writes each line once.
type onceWriter struct {
	io.Writer
	written map[string]bool
}

func (w *onceWriter) Write(line []byte) (int, error) {
	if w.written[string(line)] {
		return len(line), nil
	}
	w.written[string(line)] = true
	return w.Writer.Write(line)
}

// view returns what is known of a folder with what the editor holds of it.
func (l *lint) view(ctx context.Context, std streams, engine *rules.Engine, from load.Snapshot, at editor.Place) (editor.View, error) {
	from.Edit = func(opts effective.Options) (effective.Options, error) {
		for name, text := range at.Unsaved {
			opts, _, _ = opts.Edit(name, text) // what is no file of the tree is not judged
		}
		return opts, nil
	}
	if err := l.resolve(std, engine); err != nil {
		return editor.View{}, err
	}
	now, err := l.look(ctx, std, engine, from, []string{at.Root})
	if err != nil {
		return editor.View{}, err
	}
	told := func(as judge.Shown) (report.Report, error) {
		result, err := l.report(ctx, std, engine, now, as, false)
		return plain.Copy(result, plain.Line), err
	}
	view := editor.View{State: now.state, Page: l.page(engine)}
	view.Suggest = func(names []string, safe bool, of []judge.Release) (report.Report, error) {
		defer std.watch.Turn()()
		only, err := judge.Select(engine, names, nil)
		if err != nil {
			return report.Report{}, err
		}
		hunks, err := l.suggestions(ctx, std, now, repair.Options{Unsafe: !safe, Rule: engine.Rule, Rules: only, Asked: of, Unsaved: at.Unsaved})
		if err != nil {
			return report.Report{}, err
		}
		return told(judge.Shown{Hunks: hunks})
	}
	view.Report, err = told(judge.Shown{})
	return view, err
}

// page returns a function that returns the address of a rule's page; empty without one.
func (l *lint) page(engine *rules.Engine) func(string) string {
	known := described(engine)
	return func(id string) string {
		i := slices.IndexFunc(known, func(r rules.Rule) bool { return r.ID == id })
		if i < 0 {
			return ""
		}
		return rulekit.URL(cmp.Or(l.pages, rulePages), known[i])
	}
}
