package ruleset

import (
	"context"
	"slices"
)

// Titles lists the built-in rules for completion: id and title, with a tab between.
func Titles(ctx context.Context) []string {
	engine, err := Open(ctx, nil)
	if err != nil {
		return nil
	}
	var ids []string
	for _, rule := range engine.Rules() {
		ids = append(ids, rule.ID+"\t"+rule.Title)
	}
	return ids
}

// Names lists categories and built-in rules for completion.
func Names(ctx context.Context, _ []string) []string {
	engine, err := Open(ctx, nil)
	if err != nil {
		return nil
	}
	return slices.Concat(engine.Categories(), engine.IDs())
}
