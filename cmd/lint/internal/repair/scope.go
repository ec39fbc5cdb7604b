package repair

import (
	"context"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Scope is all that may object to repairs: every cluster of the repositories that options
// are from.
type Scope struct {
	// More is true if that is more than was asked for.
	More bool

	state  judge.State
	asked  []judge.Release // nil for all
	whole  effective.Options
	folder func(file string) (*tree.Tree, error)
	judged *judge.Evaluator
}

// NewScope returns the scope around options whose state is known. Folder opens the folder
// of a file.
func NewScope(ctx context.Context, opts effective.Options, folder func(file string) (*tree.Tree, error), judged *judge.Evaluator, now judge.State) (*Scope, error) {
	s := &Scope{state: now, folder: folder, judged: judged}
	whole, asked, more, err := opts.Repository(ctx, folder)
	if s.whole, s.More = whole, more; err != nil || !more {
		return s, err
	}
	mine, err := Judge(ctx, judged, asked)
	if err != nil {
		return nil, err
	}
	s.asked = mine.Releases
	s.state, err = s.look(ctx, nil)
	return s, err
}

// Again reads the scope anew, around the options as they are now.
func (s *Scope) Again(ctx context.Context, opts effective.Options) (judge.State, error) {
	var err error
	if s.whole, _, _, err = opts.Repository(ctx, s.folder); err != nil {
		return judge.State{}, err
	}
	return s.look(ctx, nil)
}

func (s *Scope) look(ctx context.Context, changes map[string][]byte) (judge.State, error) {
	return Judge(ctx, s.judged, s.whole.With(changes))
}

// Repairer returns a repairer of the scope. Only files below paths are changed.
func (s *Scope) Repairer(ctx context.Context, paths []string, opts Options) (*Repairer, error) {
	if s.asked != nil {
		opts.Asked = s.asked
	}
	opts.Foresee = s.judged.Foresee(ctx)
	return New(s.state, paths, opts, func(changes map[string][]byte) (judge.State, error) { return s.look(ctx, changes) })
}

// Judge loads what options name, and judges it.
func Judge(ctx context.Context, judged *judge.Evaluator, opts effective.Options) (judge.State, error) {
	opts.Progress = nil
	tree, err := effective.Load(ctx, opts)
	if err != nil {
		return judge.State{}, err
	}
	return judged.Evaluate(ctx, tree)
}
