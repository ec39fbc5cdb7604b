// Package configfile reads the configuration: from a file that was named, from the
// nearest one upward from a path, or from a revision of a repository. What it reads
// is bounded, and never leads out of the repository.
package configfile
