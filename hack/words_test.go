package hack

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// clumsy are words that have been read as a translation: what a reader must parse three
// times. Each is followed by what to write instead.
var clumsy = map[string]string{
	`(is|are) taken for\b`:                     "counts as, is read as",
	`\blet be\b`:                               "accepted",
	`said against`:                             "an objection",
	`patch \d+ of those that`:                  "patch 1 that X adds",
	`nobody is told`:                           "alerts never fire",
	`(is|are) told (once|as)\b`:                "is reported",
	`however well\b`:                           "even if",
	`nothing that Git says`:                    "changes in Git",
	`milder findings? not listed`:              "hidden; show them with",
	`may hold more: `:                          "may contain more releases",
	`neither passed nor failed`:                "were not checked",
	`[Jj]udge the HelmReleases of a tree`:      "check the HelmReleases",
	`what (nobody can|somebody may have) want`: "settings that are always wrong, that may be intentional",
	`believe it\b|\bthe house\b`:               "see where each setting comes from",
}

// TestWords looks for clumsy words in what users read: documentation, rules, and the
// strings of the programs.
func TestWords(t *testing.T) {
	read := userTexts(t)
	for pattern, better := range clumsy {
		re := regexp.MustCompile(`(?m)` + pattern)
		for name, texts := range read {
			for _, text := range texts {
				if found := re.FindString(text); found != "" {
					t.Errorf("%s: %q: write of it: %s", name, found, better)
				}
			}
		}
	}
}

// userTexts returns what users read, by file.
func userTexts(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, root := range []string{"../docs", "../README.md", "../.pre-commit-hooks.yaml", "../action.yml", "../templates", "../policies/rules", "../cmd/lint", "../cmd/webhook", "../pkg"} {
		err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			switch {
			case strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, "_test.rego"):
			case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".rego"), strings.HasSuffix(name, ".yaml"), strings.HasSuffix(name, ".yml"):
				out[name] = []string{string(data)}
			case strings.HasSuffix(name, ".go"):
				out[name] = literals(data)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// literals returns the strings of a Go file.
func literals(source []byte) []string {
	var out []string
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(source)), source, nil, 0)
	for {
		_, kind, text := s.Scan()
		switch kind {
		case token.EOF:
			return out
		case token.STRING:
			out = append(out, strings.Trim(text, "`\""))
		}
	}
}
