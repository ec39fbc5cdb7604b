package git

import (
	"bytes"
	"strings"
)

// setting is one line of a repository's configuration.
type setting struct{ section, name, key, value string }

// config reads the repository's own configuration file. What that includes,
// and the user's, is not read.
func (d gitDir) config() []setting {
	data, err := readIn(d.common, "config", maxGitFile)
	if err != nil {
		return nil
	}
	return parseConfig(data)
}

// parseConfig reads the lines "[section "name"]" and "key = value". Sections
// and keys are in lower case.
func parseConfig(data []byte) []setting {
	var out []setting
	var at setting
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if header, rest, ok := strings.Cut(text, "]"); ok && strings.HasPrefix(header, "[") {
			section, name, _ := strings.Cut(header[1:], " ")
			at = setting{section: strings.ToLower(section), name: unquote(name)}
			text = strings.TrimSpace(rest)
		}
		key, value, _ := strings.Cut(text, "=")
		at.key, at.value = strings.ToLower(strings.TrimSpace(key)), unquote(value)
		if at.key != "" && !strings.ContainsAny(at.key[:1], "#;") {
			out = append(out, at)
		}
	}
	return out
}

// unquote returns a value without its quotes and without a comment after it.
func unquote(value string) string {
	var out strings.Builder
	quoted, escaped := false, false
	for _, r := range strings.TrimSpace(value) {
		switch {
		case escaped:
			out.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		case !quoted && (r == '#' || r == ';'):
			return strings.TrimSpace(out.String())
		default:
			out.WriteRune(r)
		}
	}
	return strings.TrimSpace(out.String())
}

// Remotes returns the URLs of the remotes that the configuration of the
// repository around a folder lists; nil outside of one.
func Remotes(folder string) []string {
	top := Top(folder)
	if top == "" {
		return nil
	}
	dir, err := gitDirOf(top)
	if err != nil {
		return nil
	}
	var out []string
	for _, s := range dir.config() {
		if s.section == "remote" && s.key == "url" && s.value != "" {
			out = append(out, s.value)
		}
	}
	return out
}
