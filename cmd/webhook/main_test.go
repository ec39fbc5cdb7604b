package main

import (
	"os"
	"testing"
)

// asProgram makes the test binary behave as remedy-webhook, so that tests can
// start it as a process without building it.
const asProgram = "REMEDY_WEBHOOK_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asBoth) != "" {
		panic(serveBoth())
	}
	if os.Getenv(asProgram) != "" {
		main()
	}
	code := m.Run()
	if dir, err := programs(); err == nil {
		_ = os.RemoveAll(dir)
	}
	if err := stopCluster(); err != nil {
		panic(err)
	}
	os.Exit(code)
}
