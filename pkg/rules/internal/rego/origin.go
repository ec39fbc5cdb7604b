package rego

import (
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Origin is where something is written in the policies.
type Origin struct {
	// Source is the number of the file system among the sources of the policies, from 0.
	Source int `json:"source"`
	// File is its file there; empty if that is not known.
	File string `json:"file"`
	// Line counts from 1.
	Line int `json:"line"`
}

// OriginOf returns where a location of the compiler is: it has the number of the source
// before the name of the file.
func OriginOf(l *ast.Location) Origin {
	if l == nil {
		return Origin{}
	}
	number, file, _ := strings.Cut(l.File, "/")
	source, err := strconv.Atoi(number)
	if err != nil {
		return Origin{File: l.File, Line: l.Row}
	}
	return Origin{source, file, l.Row}
}

// PackageError is a file of a user that is not in the package of a rule, or reports nothing.
type PackageError struct {
	Origin
	file string
	Err  error
}

func (e *PackageError) Error() string { return e.file + ": " + e.Err.Error() }

func (e *PackageError) Unwrap() error { return e.Err }
