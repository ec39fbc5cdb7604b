package object

import (
	"regexp"
	"strings"
	"sync"
)

var scheme = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z+]+://)?([^@/]+@)?`) })

// SameRepository compares addresses of repositories without scheme, user and ending.
func SameRepository(a, b string) bool {
	plain := func(url string) string {
		url = scheme().ReplaceAllString(strings.ToLower(strings.TrimSpace(url)), "")
		url = strings.Replace(url, ":", "/", 1)
		return strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git")
	}
	return plain(a) == plain(b)
}
