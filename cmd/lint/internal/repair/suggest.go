package repair

import (
	"context"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
)

// Suggest returns the edits of repairs that nothing objects to, and writes none.
func (s *Scope) Suggest(ctx context.Context, paths []string, opts Options) (judge.Hunks, error) {
	r, err := s.Repairer(ctx, paths, opts)
	if err != nil {
		return nil, err
	}
	return r.Suggest()
}
