package fleet

import (
	"io/fs"
)

// Content returns the files of a source of a cluster, by its name: one that is this repository, or
// that the user maps to a folder.
func (r *Resolved) Content(cluster, kind, namespace, name string) (fs.FS, error) {
	source, err := r.pass.source(cluster, reference{kind, namespace, name})
	if err != nil {
		return nil, err
	}
	if source.Own {
		source = r.pass.sources.from(source, r.pass.root.dir)
	}
	return source.Files(), nil
}
