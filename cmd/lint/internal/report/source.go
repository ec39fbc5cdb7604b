package report

import (
	"net/url"
	"strconv"
)

// SourceURL returns a function that returns the address of a line of a file, empty if it has none. It is nil unless a
// job of GitHub or GitLab says its repository and commit. Path returns the path of a file in the repository, and an
// error if it is not of that commit.
func SourceURL(getenv func(string) string, path func(file, commit string) (string, error)) func(file string, line int) string {
	base, commit := commitURL(getenv)
	if base == nil {
		return nil
	}
	return func(file string, line int) string {
		at, err := path(file, commit)
		if err != nil {
			return ""
		}
		to := base.JoinPath((&url.URL{Path: at}).EscapedPath())
		if line > 0 {
			to.Fragment = "L" + strconv.Itoa(line)
		}
		return to.String()
	}
}

// commitURL returns the address of the files of the commit that a job is about; nil if the job does not say it. Gitea
// sets the variables of GitHub, and has other addresses.
func commitURL(getenv func(string) string) (files *url.URL, commit string) {
	server, repository, commit := getenv("GITHUB_SERVER_URL"), []string{getenv("GITHUB_REPOSITORY"), "blob"}, getenv("GITHUB_SHA")
	if repository[0] == "" || getenv("GITEA_ACTIONS") != "" {
		server, repository, commit = getenv("CI_PROJECT_URL"), []string{"-", "blob"}, getenv("CI_COMMIT_SHA")
	}
	base, err := url.Parse(server)
	if err != nil || base.Scheme != "https" && base.Scheme != "http" || base.Host == "" || commit == "" {
		return nil, ""
	}
	files = &url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path}
	return files.JoinPath(append(repository, commit)...), commit
}
