package editor

import (
	"context"
	"fmt"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// View is what is known of a folder with what the editor holds.
type View struct {
	Report report.Report
	State  judge.State
	// Suggest returns the report with the edits for what rules find of some releases, only safe
	// ones or others, too. No edit goes further than the fix of its finding.
	Suggest func(rules []string, safe bool, of []judge.Release) (report.Report, error)
	// Page returns the address of a rule's page; empty without one.
	Page func(rule string) string
}

// Place is a folder with what the editor holds of it.
type Place struct {
	Root    string
	Unsaved map[string][]byte // by absolute name
	Saved   int               // another number after files have changed on the disk
}

// views are those of the folders that are open, each as of the last change.
type views struct {
	look func(context.Context, Place) (View, error)

	mu   sync.Mutex // held while one is made: they share what was built
	made map[string]made
}

type made struct {
	change int
	view   View
	err    error
}

// with calls do with the view of a folder, and nothing else uses it meanwhile. What goes wrong in one must
// not end the editor's server.
func (v *views) with(ctx context.Context, d *documents, root string, do func(View) error) (err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v", p)
		}
	}()
	held, saved, change := d.held()
	now, known := v.made[root]
	if !known || now.change != change {
		now = made{change: change}
		now.view, now.err = v.look(ctx, Place{root, contents(held[root]), saved})
		v.made = map[string]made{root: now} // one at a time: a view holds a tree
	}
	if now.err != nil {
		return now.err
	}
	return do(now.view)
}
