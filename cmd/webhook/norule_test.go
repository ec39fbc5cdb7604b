package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// TestNoRuleInGo holds that the programs know rules by what their METADATA says
// and never by name: what is true of one holds for a user's own too.
func TestNoRuleInGo(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, rule := range engine.Rules() {
		if rule.ID != "suspended" { // also the word for a state of releases and Alerts
			ids = append(ids, rule.ID)
		}
	}
	quoted := regexp.MustCompile("[\"`](" + strings.Join(ids, "|") + ")[\"`]")
	for _, root := range []string{"../../cmd", "../../pkg"} {
		err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			data, err := os.ReadFile(file)
			for _, found := range quoted.FindAllString(string(data), -1) {
				t.Errorf("%s names the rule %s", file, found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
