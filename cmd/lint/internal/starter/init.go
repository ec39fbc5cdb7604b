package starter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/snapshot"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Init writes the configuration of the working directory to its file, and to out what was
// found. A file that exists is left as it is.
func Init(ctx context.Context, out io.Writer, from snapshot.Snapshot, builder *build.Builder) error {
	if _, err := os.Lstat(rules.ConfigFile); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists: it is left as it is", rules.ConfigFile)
	}
	inputs, err := from.Inputs(ctx, builder, []string{"."}, judge.Configuration{Config: &rules.Config{}})
	if err != nil {
		return err
	}
	tree, err := flux.Load(ctx, flux.Options{Inputs: inputs, Config: &rules.Config{}, Builder: builder})
	if err != nil {
		return err
	}
	config := Of(tree)
	var text bytes.Buffer
	if err := config.Write(&text); err != nil {
		return err
	}
	if err := files.Replace(rules.ConfigFile, text.Bytes()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "wrote %s, %s", rules.ConfigFile, config.Summary())
	return err
}
