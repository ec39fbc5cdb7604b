package load

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// Compile compiles the built-in policies and those of folders.
func Compile(ctx context.Context, folders []policy.Folder) (*rules.Engine, error) {
	sources := []fs.FS{policies.FS}
	for _, folder := range folders {
		sources = append(sources, folder)
	}
	return rules.New(ctx, sources...)
}

// checkConfig holds a configuration to the rules that there are, and notes what has another
// name now, and a file that has not the name of a configuration.
func checkConfig(notes io.Writer, engine *rules.Engine, config judge.Configuration) error {
	under, err := engine.Under(config.Config)
	if err != nil {
		return fmt.Errorf("check configuration %s: %w", config.File, err)
	}
	if config.Near != "" {
		fmt.Fprintln(notes, plain.Line("flux-remedy: "+judge.FromHere(config.Near)+" is not read: the configuration is called "+rules.ConfigFile))
	}
	for _, note := range under.Notes() {
		fmt.Fprintln(notes, plain.Line("flux-remedy: "+judge.FromHere(config.File)+": "+note))
	}
	return nil
}

// RuleTitles lists the built-in rules for completion: id and title, with a tab between.
func RuleTitles(ctx context.Context) []string {
	engine, err := OpenRules(ctx, nil)
	if err != nil {
		return nil
	}
	var ids []string
	for _, rule := range engine.Rules() {
		ids = append(ids, rule.ID+"\t"+rule.Title)
	}
	return ids
}

// RuleNames lists categories and built-in rules for completion.
func RuleNames(ctx context.Context, _ []string) []string {
	engine, err := OpenRules(ctx, nil)
	if err != nil {
		return nil
	}
	return slices.Concat(engine.Categories(), engine.IDs())
}
