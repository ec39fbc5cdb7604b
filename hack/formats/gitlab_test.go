package formats

import "testing"

// codeQuality is what GitLab's documentation requires of a code quality report.
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
const codeQuality = `{
  "type": "array",
  "items": {
    "type": "object",
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "properties": {
      "description": {"type": "string", "minLength": 1},
      "check_name": {"type": "string", "minLength": 1},
      "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
      "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
      "location": {
        "type": "object",
        "required": ["path", "lines"],
        "properties": {
          "path": {"type": "string", "pattern": "^([^./]|[.][^/])"},
          "lines": {
            "type": "object",
            "required": ["begin"],
            "properties": {"begin": {"type": "integer", "minimum": 1}},
            "additionalProperties": false
          }
        },
        "additionalProperties": false
      }
    },
    "additionalProperties": false
  }
}`

func TestGitLab(t *testing.T) {
	schema := compile(t, codeQuality)
	written(t, "gitlab", false, func(t *testing.T, out []byte) {
		issues := value(t, out)
		if err := schema.Validate(issues); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		prints := map[any]bool{}
		for _, issue := range issues.([]any) {
			prints[issue.(map[string]any)["fingerprint"]] = true
		}
		if n := len(issues.([]any)); len(prints) != n || n == 0 {
			t.Errorf("%d issues with %d fingerprints", n, len(prints))
		}
	})
}
