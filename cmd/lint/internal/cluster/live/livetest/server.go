// Package livetest is a stand-in for an API server, as httptest is for any other. It
// holds objects, and answers in pages. What only a real API server does, such as to
// check rights and schemas, is tested with one.
package livetest

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// Server holds objects of a cluster. Change its fields before the first request.
type Server struct {
	// URL is where it is, CA whom to trust.
	URL string
	CA  []byte
	// Page is how many objects an answer has at most; zero means as many as are asked for.
	Page int
	// Before answers a request instead if it returns true; nil never does.
	Before func(http.ResponseWriter, *http.Request) bool
	// Asked plays a controller: it may change an object after each GET and PATCH of that
	// object, before the answer; nil changes none.
	Asked func(method string, object map[string]any)

	mu       sync.Mutex
	objects  map[string]map[string]any // by path
	requests []string
}

// New starts a server with objects until the end of a test.
func New(t testing.TB, objects ...map[string]any) *Server {
	t.Helper()
	s := Start(objects...)
	t.Cleanup(s.Close)
	return s.Server
}

// Started is a server that must be closed.
type Started struct {
	*Server
	Close func()
}

// Start starts a server with objects.
func Start(objects ...map[string]any) Started {
	s := &Server{objects: map[string]map[string]any{}}
	for _, object := range objects {
		s.objects[where(object)] = object
	}
	server := httptest.NewTLSServer(s)
	s.URL, s.CA = server.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return Started{s, server.Close}
}

func where(object map[string]any) string {
	version, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	meta, _ := object["metadata"].(map[string]any)
	at := "/apis/" + version
	if !strings.Contains(version, "/") {
		at = "/api/" + version
	}
	if namespace, _ := meta["namespace"].(string); namespace != "" {
		at += "/namespaces/" + namespace
	}
	return fmt.Sprintf("%s/%ss/%v", at, strings.ToLower(kind), meta["name"])
}

// Kubeconfig writes a kubeconfig to a file, with one context for each server, of which
// one is the current one. The namespace of all is apps.
func Kubeconfig(file, current string, servers map[string]*Server) error {
	type named = map[string]any
	var clusters, contexts []named
	for name, server := range servers {
		clusters = append(clusters, named{"name": name, "cluster": named{"server": server.URL, "certificate-authority-data": server.CA}})
		contexts = append(contexts, named{"name": name, "context": named{"cluster": name, "user": "somebody", "namespace": "apps"}})
	}
	raw, err := json.Marshal(named{
		"apiVersion": "v1", "kind": "Config", "clusters": clusters, "contexts": contexts,
		"users": []named{{"name": "somebody", "user": named{"token": "secret"}}}, "current-context": current,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(file, raw, 0o600)
}

// Put adds an object, or replaces it.
func (s *Server) Put(object map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[where(object)] = object
}

// Requests lists what was asked, as "GET /api/v1/namespaces".
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	if s.Before != nil && s.Before(w, r) {
		return
	}
	object, isObject := s.objects[r.URL.Path]
	switch {
	case r.Method == http.MethodGet && isObject:
		s.asked(r.Method, object)
		answer(w, http.StatusOK, object)
	case r.Method == http.MethodGet && strings.Count(r.URL.Path, "/") == 2:
		s.group(w, path.Base(r.URL.Path))
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "s") && s.knows(r.URL.Path):
		s.list(w, r)
	case r.Method == http.MethodPatch && r.Header.Get("Content-Type") == applyPatch:
		s.apply(w, r)
	case r.Method == http.MethodDelete && isObject:
		delete(s.objects, r.URL.Path)
		answer(w, http.StatusOK, map[string]any{"kind": "Status", "status": "Success"})
	case r.Method == http.MethodPatch && isObject:
		s.patch(w, r, object)
	default:
		Refuse(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
	}
}

// group answers which version of an API group is preferred.
func (s *Server) group(w http.ResponseWriter, group string) {
	for at := range s.objects {
		if parts := strings.Split(at, "/"); parts[1] == "apis" && parts[2] == group {
			answer(w, http.StatusOK, map[string]any{"preferredVersion": map[string]any{"version": parts[3]}})
			return
		}
	}
	Refuse(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
}

// knows reports whether there is an object of the group of a path.
func (s *Server) knows(at string) bool {
	parts := strings.Split(at, "/")
	if parts[1] != "apis" {
		return true
	}
	for other := range s.objects {
		if strings.HasPrefix(other, "/apis/"+parts[2]+"/") {
			return true
		}
	}
	return false
}

// list answers with a page.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	var all []string
	for at := range s.objects {
		if s.lists(r.URL.Path, at) && selected(s.objects[at], r.URL.Query().Get("labelSelector")) {
			all = append(all, at)
		}
	}
	slices.Sort(all)
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || s.Page > 0 {
		limit = max(s.Page, 1)
	}
	from, _ := slices.BinarySearch(all, r.URL.Query().Get("continue"))
	to := min(from+limit, len(all))
	items := []map[string]any{}
	for _, at := range all[from:to] {
		items = append(items, s.objects[at])
	}
	meta := map[string]any{}
	if to < len(all) {
		meta["continue"] = all[to]
	}
	answer(w, http.StatusOK, map[string]any{"metadata": meta, "items": items})
}

// lists reports whether a list holds an object: that of its namespace, or of all.
func (s *Server) lists(list, at string) bool {
	folder, plural := path.Split(list)
	of, _ := path.Split(at)
	if of == list+"/" {
		return true
	}
	return !strings.Contains(list, "/namespaces/") && strings.HasPrefix(of, folder+"namespaces/") && path.Base(of) == plural
}

// selected reports whether an object has all labels KEY=VALUE of a selector.
func selected(object map[string]any, selector string) bool {
	meta, _ := object["metadata"].(map[string]any)
	labels, _ := meta["labels"].(map[string]any)
	for part := range strings.SplitSeq(selector, ",") {
		if key, value, ok := strings.Cut(part, "="); ok && labels[key] != value {
			return false
		}
	}
	return true
}

// applyPatch is the content type of an object that is applied.
const applyPatch = "application/apply-patch+yaml"

// apply puts an object in place of what is there: nobody else sets fields here.
func (s *Server) apply(w http.ResponseWriter, r *http.Request) {
	var object map[string]any
	if err := json.NewDecoder(r.Body).Decode(&object); err != nil || where(object) != r.URL.Path {
		Refuse(w, http.StatusBadRequest, "BadRequest", fmt.Sprintf("%v, %s", err, where(object)))
		return
	}
	s.objects[r.URL.Path] = object
	answer(w, http.StatusOK, object)
}

func (s *Server) patch(w http.ResponseWriter, r *http.Request, object map[string]any) {
	before, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	var patch json.RawMessage
	if err := json.NewDecoder(r.Body).Decode(&patch); err != nil {
		Refuse(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	raw, err := jsonpatch.MergePatch(before, patch)
	if err != nil {
		Refuse(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	var after map[string]any
	if err := json.Unmarshal(raw, &after); err != nil {
		panic(err)
	}
	if was, is := versionOf(object), versionOf(after); was != is {
		Refuse(w, http.StatusConflict, "Conflict", "the object has been modified")
		return
	}
	s.objects[r.URL.Path] = after
	s.asked(r.Method, after)
	answer(w, http.StatusOK, after)
}

func (s *Server) asked(method string, object map[string]any) {
	if s.Asked != nil {
		s.Asked(method, object)
	}
}

func versionOf(object map[string]any) any {
	meta, _ := object["metadata"].(map[string]any)
	return meta["resourceVersion"]
}

// Refuse answers with an error as an API server does.
func Refuse(w http.ResponseWriter, code int, reason, message string) {
	answer(w, code, map[string]any{"kind": "Status", "code": code, "reason": reason, "message": message})
}

func answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(err)
	}
}
