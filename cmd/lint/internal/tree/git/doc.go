// Package git reads a Git repository on disk: references, commits and the
// files of a revision. It knows no trees of files as the linter has them.
//
// [Open] finds the [Repository] that holds a path. [Repository.Revision]
// resolves the name of a revision to its files, a [Revision].
// [Repository.Base] returns the commit that a change departs from.
// [Remotes] returns what the configuration lists.
//
// Only objects, references and the repository's own configuration are read: no
// checkout, no filters, no hooks, no attributes. No process is started, nothing
// is fetched and nothing is written.
//
// Objects come from go-git's storage: 38 packages that the linter does not link
// otherwise, 1.4 MB and a quarter of a millisecond at start, none of which can
// open a connection or start a process. Commits, tags and trees are parsed
// here, because go-git's own package for them links 54 more, OpenPGP among them.
// So is the merge base looked for (base.go): go-git's belongs to that package.
package git
