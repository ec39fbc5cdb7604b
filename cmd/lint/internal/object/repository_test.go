package object

import "testing"

func TestSameRepository(t *testing.T) {
	for url, want := range map[string]bool{
		"https://github.com/example/fleet":             true,
		"https://github.com/Example/fleet.git":         true,
		"ssh://git@github.com/example/fleet":           true,
		"git@github.com:example/fleet.git":             true,
		"https://user:token@github.com/example/fleet/": true,
		"https://github.com/example/other":             false,
		"https://gitlab.com/example/fleet":             false,
	} {
		if got := SameRepository("https://github.com/example/fleet", url); got != want {
			t.Errorf("%s: %v, want %v", url, got, want)
		}
	}
}

func TestAddress(t *testing.T) {
	for url, want := range map[string]string{
		"git::https://u:p@tail@example.com/a":                         "git::https://example.com/a",
		"https://example.com/a?ref=v1&access_token=abc&timeout=10s#x": "https://example.com/a?ref=v1&access_token=***&timeout=10s#x",
		"oci://example.com/a@sha256:0123":                             "oci://example.com/a@sha256:0123",
		"https://user:token@github.com/example/fleet":                 "https://github.com/example/fleet",
		"oci://user:a:b@example.com/x":                                "oci://example.com/x",
		"git::https://token@example.com/x.git//a?ref=v1@b/c":          "git::https://example.com/x.git//a?ref=v1@b/c",
		"ssh://git@github.com/example/fleet":                          "ssh://git@github.com/example/fleet",
		"git@github.com:example/fleet.git":                            "git@github.com:example/fleet.git",
		"https://example.com/a@v1/b":                                  "https://example.com/a@v1/b",
	} {
		if got := Address(url); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}
