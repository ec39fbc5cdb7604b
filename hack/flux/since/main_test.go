package main

import (
	"os"
	"strings"
	"testing"
)

// TestFresh: the table was made with the fields and values that are known now.
func TestFresh(t *testing.T) {
	text, err := os.ReadFile("../../" + table)
	if err != nil {
		t.Fatal(err)
	}
	newest, err := newestDefined("../../" + newest)
	if err != nil || len(newest) == 0 {
		t.Fatal(len(newest), err)
	}
	if !strings.HasPrefix(string(text), digest(newest)) {
		t.Errorf("%s was not written since the definitions changed: make flux-since CLONES=folder, with a clone of %v in it", table, repositories)
	}
}
