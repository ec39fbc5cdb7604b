package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"

	"golang.org/x/mod/semver"
)

const (
	changelogFile  = "CHANGELOG.md"
	changelogBegin = "<!-- Generated from the rules' METADATA by make generate. -->\n"
	changelogEnd   = "<!-- End of what is generated. -->\n"
)

// changelog returns the changelog with what the rules' METADATA says of versions.
func changelog(all []rules.Rule) ([]byte, error) {
	data, err := os.ReadFile(changelogFile)
	if err != nil {
		return nil, err
	}
	before, rest, begins := bytes.Cut(data, []byte(changelogBegin))
	_, after, ends := bytes.Cut(rest, []byte(changelogEnd))
	if !begins || !ends {
		return nil, errors.New(changelogFile + ": the place of the rules by version is gone")
	}
	return slices.Concat(before, []byte(changelogBegin+versionsOf(all)+changelogEnd), after), nil
}

// versionsOf lists what is reported since which version, newest first. Of the first one the
// rules are only counted.
func versionsOf(all []rules.Rule) string {
	said := map[string][]string{}
	for _, rule := range all {
		link := fmt.Sprintf("[%s](policies/rules/%s/%s/README.md)", rule.ID, rule.Category, rule.ID)
		said[rule.Since] = append(said[rule.Since], fmt.Sprintf("- New: %s, %s.\n", link, rule.Title))
		for _, t := range rule.Tightened {
			said[t.Version] = append(said[t.Version], fmt.Sprintf("- Reports more: %s. %s\n", link, t.What))
		}
	}
	var versions []string
	for version := range said {
		versions = append(versions, version)
	}
	slices.SortFunc(versions, func(a, b string) int { return semver.Compare("v"+b, "v"+a) })
	var out strings.Builder
	for i, version := range versions {
		if i == len(versions)-1 {
			fmt.Fprintf(&out, "\n### %s\n\n- The first %d rules.\n\n", version, len(said[version]))
			continue
		}
		fmt.Fprintf(&out, "\n### %s\n\n%s", version, strings.Join(said[version], ""))
	}
	return out.String()
}
