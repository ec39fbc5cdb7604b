// Package tree is the snapshot that everything is judged on: an immutable set
// of files, read from a folder, from a revision of a Git repository or from
// standard input.
//
// [Folder], [Revision], [Single] and [Bytes] make a [Tree]. [Tree.With],
// [Tree.Sub], [Tree.Pack] and [Of] make another one from it that shares its
// files. A tree is an [io/fs.FS], and a file system for kustomize by
// [Tree.FileSystem]. The content of a file is read when it is first asked for,
// and kept or read again: nobody sees two versions of it.
//
// A tree never leads out of its root. Symbolic links are not followed, no
// process is started and nothing is fetched. What a revision holds comes from
// package git.
package tree
