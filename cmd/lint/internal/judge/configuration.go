package judge

import (
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Configuration is a configuration with the file that it was read from. Without a
// file, File is empty and the defaults hold.
type Configuration struct {
	*rules.Config
	File string
	Data []byte
	// Root is the folder that paths in it are relative to, if it is of a bundle: that is
	// for many repositories, and in none.
	Root string
	// Extends is the configuration that this one extends, as it is written; nil if there is none.
	Extends *Configuration
	// Near is a file where the configuration is looked for that has not quite its name, and is not read; empty if there
	// is none.
	Near string
}

// Dir returns the folder that paths in the configuration are relative to; empty
// without a file.
func (c Configuration) Dir() string {
	if c.File == "" || c.Root != "" {
		return c.Root
	}
	return filepath.Dir(c.File)
}

// Place returns where a path of the document is written, or its nearest written parent;
// line 0 if that is not known.
func (c Configuration) Place(path ...any) (file string, line int) {
	if c.Extends != nil {
		at, inherited := rules.Inherited(c.Data, c.Extends.Data, path)
		if path = at; inherited {
			return c.Extends.Place(path...)
		}
	}
	parsed, err := yamledit.Parse(c.File, c.Data)
	if err != nil || len(parsed.Documents) == 0 {
		return c.Name(), 0
	}
	at, _ := parsed.Documents[0].Find(path...)
	return c.Name(), at.Line
}

// Line returns the line of a path of the document, see [Configuration.Place].
func (c Configuration) Line(path ...any) int {
	_, line := c.Place(path...)
	return line
}

// Name returns the file as seen from the working directory; empty without one.
func (c Configuration) Name() string {
	if c.File == "" {
		return ""
	}
	return FromHere(c.File)
}

// FromHere returns a file as seen from the working directory, if it is below that.
func FromHere(file string) string {
	here, err := os.Getwd()
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(here, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}
