package formats

import (
	"slices"
	"strings"
	"testing"
)

// TestGitHub reads the commands as the runner does.
func TestGitHub(t *testing.T) {
	written(t, "github", true, func(t *testing.T, out []byte) {
		seen := ""
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, "flux-remedy: judged by ") { // for the log
				continue
			}
			c, ok := parse(strings.TrimSuffix(line, "\n"))
			if !ok || !slices.Contains([]string{"error", "warning", "notice"}, c.name) {
				t.Fatalf("no annotation: %q", line)
			}
			ofRun := c.name == "notice" && c.properties["title"] == "flux-remedy" // concerns no file
			if (c.properties["file"] == "" && !ofRun) || c.properties["title"] == "" || c.data == "" || strings.HasPrefix(c.properties["file"], "./") {
				t.Errorf("%+v", c)
			}
			for name := range c.properties {
				if !slices.Contains([]string{"file", "line", "col", "title"}, name) {
					t.Errorf("%q is no property of an annotation: %s", name, line)
				}
			}
			seen += c.properties["file"] + "\n" + c.data + "\n"
		}
		if strings.Contains(seen, "unknown.yaml") && (!strings.Contains(seen, "apps/a b, 100%#ü.yaml\n") || !strings.Contains(seen, shown)) {
			t.Errorf("what a manifest says is not read as it stands there:\n%s", seen)
		}
	})
}

type command struct {
	name       string
	properties map[string]string
	data       string
}

// parse does what the runner does with "::name key=value,key=value::data". Data
// and values have escapes; the percent sign is unescaped last.
func parse(line string) (command, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "::")
	head, data, ok2 := strings.Cut(rest, "::")
	name, properties, _ := strings.Cut(head, " ")
	c := command{name: name, properties: map[string]string{}, data: unescape(data, "%0D", "\r", "%0A", "\n")}
	for pair := range strings.SplitSeq(properties, ",") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			c.properties[strings.TrimSpace(key)] = unescape(value, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
		}
	}
	return c, ok && ok2
}

func unescape(text string, pairs ...string) string {
	for pair := range slices.Chunk(pairs, 2) {
		text = strings.ReplaceAll(text, pair[0], pair[1])
	}
	return strings.ReplaceAll(text, "%25", "%")
}
