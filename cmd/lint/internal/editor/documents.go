package editor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// document is a file as the editor holds it.
type document struct {
	uri     string // as the client calls it
	version int
	text    text
}

// documents are those that are open. They are safe for concurrent use.
type documents struct {
	mu    sync.Mutex
	roots []string // the client's folders
	open  map[string]document
	// change counts the changes that were told of, and saved those of files.
	change, saved int
}

// put takes what the editor holds of a file.
func (d *documents) put(t textDocument) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.change++
	if name, ok := nameOf(t.URI); ok {
		d.open[name] = document{t.URI, t.Version, text(t.Text)}
	}
}

func (d *documents) drop(uri string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.change, d.saved = d.change+1, d.saved+1
	if name, ok := nameOf(uri); ok {
		delete(d.open, name)
	}
}

// touch says that files have changed.
func (d *documents) touch() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.change, d.saved = d.change+1, d.saved+1
}

// held returns the open documents by the folders that they are judged in, and the changes up to now.
func (d *documents) held() (byRoot map[string]map[string]document, saved, change int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	byRoot = map[string]map[string]document{}
	for name, of := range d.open {
		root := d.root(name)
		if byRoot[root] == nil {
			byRoot[root] = map[string]document{}
		}
		byRoot[root][name] = of
	}
	return byRoot, d.saved, d.change
}

// rootOf returns the client's folder that a file is in, the innermost one, or else its own.
func (d *documents) rootOf(name string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.root(name)
}

func (d *documents) root(name string) string {
	best := ""
	for _, root := range d.roots {
		if rel, err := filepath.Rel(root, name); err == nil && filepath.IsLocal(rel) && len(root) > len(best) {
			best = root
		}
	}
	if best == "" {
		return filepath.Dir(name)
	}
	return best
}

// follows reports whether a folder is one of the client's.
func (d *documents) follows(root string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Contains(d.roots, root)
}

// textOf returns the content of a file, as the editor holds it or as it is on the disk.
func (d *documents) textOf(name string) (t text, uri string) {
	abs, err := filepath.Abs(name)
	if err != nil {
		abs = name
	}
	d.mu.Lock()
	of, held := d.open[abs]
	d.mu.Unlock()
	if held {
		return of.text, of.uri
	}
	return saved(abs), uriOf(abs)
}

// saved returns the content of a file on the disk; nothing if it is none that manifests are read from.
// Without it, columns are those of an empty line.
func saved(name string) text {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > yamledit.MaxFileSize {
		return nil
	}
	data, _ := os.ReadFile(name)
	return data
}

// isOpen reports whether the editor holds a file.
func (d *documents) isOpen(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, open := d.open[name]
	return open
}

// follow takes the client's folders.
func (d *documents) follow(i initialized) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, folder := range i.WorkspaceFolders {
		if name, ok := nameOf(folder.URI); ok {
			d.roots = append(d.roots, name)
		}
	}
	if name, ok := nameOf(i.RootURI); ok && len(d.roots) == 0 {
		d.roots = []string{name}
	}
}

// contents returns the texts of documents by their names.
func contents(of map[string]document) map[string][]byte {
	out := map[string][]byte{}
	for name, held := range of {
		out[name] = held.text
	}
	return out
}

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
	Saved   int               // another number after the client has told of files that changed on the disk
	Watched bool              // it tells of all below the folder
}

// views are those of the folders that are open, each as of the last change.
type views struct {
	look    func(context.Context, Place) (View, error)
	watches *atomic.Bool

	mu   sync.Mutex // held during a look: they share what was built
	last map[string]lookResult
}

// lookResult is what a look at a folder has given as of a change.
type lookResult struct {
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
	watched := v.watches.Load() && d.follows(root)
	held, saved, change := d.held()
	now, known := v.last[root]
	if !known || now.change != change {
		now = lookResult{change: change}
		now.view, now.err = v.look(ctx, Place{root, contents(held[root]), saved, watched})
		v.last = map[string]lookResult{root: now} // one at a time: a view holds a tree
	}
	if now.err != nil {
		return now.err
	}
	return do(now.view)
}
