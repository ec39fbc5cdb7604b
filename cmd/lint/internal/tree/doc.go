// Package tree is the snapshot that everything is judged on: an immutable set
// of files, read from a folder, from a revision of a Git repository or from
// standard input.
//
// [Folder], [Single], [Bytes] and [Repository.Tree] make a [Tree]. [Tree.With],
// [Tree.Sub], [Tree.Pack] and [Of] make another one from it that shares its
// files. A tree is an [io/fs.FS], and a file system for kustomize by
// [Tree.FileSystem]. The content of a file is read when it is first asked for,
// and kept: nobody sees two versions of it.
//
// A tree never leads out of its root. Symbolic links are not followed, no
// process is started and nothing is fetched. Of a Git repository only objects
// and references are read: no checkout, no filters, no hooks, no attributes.
//
// Objects come from go-git's storage: 38 packages that the linter does not link
// otherwise, 1.4 MB and a quarter of a millisecond at start, none of which can
// open a connection or start a process. Commits, tags and trees are parsed
// here, because go-git's own package for them links 54 more, OpenPGP among them.
package tree
