package live

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/flux-remedy/remedy/internal/slim"
)

// Resource is a kind of objects in the API. An empty Version is the one that the
// API server prefers.
type Resource struct{ Group, Version, Plural string }

// path returns where the objects of a namespace are; an empty one means all.
func (r Resource) path(namespace string) string {
	at := "/apis/" + r.Group + "/" + r.Version
	if r.Group == "" {
		at = "/api/" + r.Version
	}
	if namespace != "" {
		at += "/namespaces/" + url.PathEscape(namespace)
	}
	return at + "/" + r.Plural
}

// at returns where one object is.
func (r Resource) at(namespace, name string) string {
	return r.path(namespace) + "/" + url.PathEscape(name)
}

// ErrNoKind is that a cluster does not know a kind of objects: its CRD is missing.
var ErrNoKind = errors.New("the cluster does not know them")

// Served returns the resource in the version that the API server prefers. Without its
// group the error is [ErrNoKind].
func (c *Cluster) Served(ctx context.Context, r Resource) (Resource, error) {
	if r.Version != "" {
		return r, nil
	}
	var group struct {
		PreferredVersion struct{ Version string }
	}
	err := c.do(ctx, request{method: http.MethodGet, path: "/apis/" + r.Group}, &group)
	if Is(err, http.StatusNotFound) {
		return r, fmt.Errorf("%s.%s: %w", r.Plural, r.Group, ErrNoKind)
	}
	r.Version = group.PreferredVersion.Version
	return r, err
}

// Query says which objects are listed.
type Query struct {
	Resource
	// Namespace is theirs; empty means all.
	Namespace string
	// Labels is a selector; empty means all.
	Labels string
	// Without is left out of each object; null stands for it.
	Without *slim.Node
	// Metadata asks for nothing but the metadata of the objects. The API server sends
	// no more.
	Metadata bool
}

// page is how many objects one answer has at most: as many as kubectl asks for.
const page = 500

// onlyMetadata is what the API server is asked to send of objects.
const onlyMetadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

// List reads objects page by page. After an error nothing follows.
func (c *Cluster) List(ctx context.Context, q Query) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		resource, err := c.Served(ctx, q.Resource)
		if err != nil {
			yield(nil, err)
			return
		}
		r := request{
			method: http.MethodGet, path: resource.path(q.Namespace), query: url.Values{"limit": {strconv.Itoa(page)}},
			without: &slim.Node{Inner: map[string]*slim.Node{"items": {Each: q.Without}}},
		}
		if q.Labels != "" {
			r.query.Set("labelSelector", q.Labels)
		}
		if q.Metadata {
			r.accept = onlyMetadata
		}
		for more := true; more; {
			var items []map[string]any
			if items, more, err = c.page(ctx, r); err != nil {
				yield(nil, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// emptyMetadata is the kind of a list of metadata, which has null for no items.
const emptyMetadata = "PartialObjectMetadataList"

// page reads one page and has the request ask for the next one, if there is more. A
// list that has grown too old goes on from where it was, over newer objects.
func (c *Cluster) page(ctx context.Context, r request) (items []map[string]any, more bool, err error) {
	var answer struct {
		Kind     string
		Metadata struct{ Continue string }
		Items    []map[string]any
	}
	err = c.do(ctx, r, &answer)
	var refused *Refused
	if errors.As(err, &refused) && refused.Code == http.StatusGone && refused.next != "" && refused.next != r.query.Get("continue") {
		r.query.Set("continue", refused.next)
		return nil, true, nil
	}
	switch {
	case err != nil:
	case answer.Items == nil && answer.Kind != emptyMetadata:
		err = fmt.Errorf("%s: the answer is no list", r.path)
	case answer.Metadata.Continue != "" && answer.Metadata.Continue == r.query.Get("continue"):
		err = fmt.Errorf("%s: the list goes on where it has been already", r.path)
	}
	r.query.Set("continue", answer.Metadata.Continue)
	return answer.Items, answer.Metadata.Continue != "", err
}

// Get reads one object, without what is left out.
func (c *Cluster) Get(ctx context.Context, r Resource, namespace, name string, without *slim.Node) (map[string]any, error) {
	r, err := c.Served(ctx, r)
	if err != nil {
		return nil, err
	}
	var object map[string]any
	err = c.do(ctx, request{method: http.MethodGet, path: r.at(namespace, name), without: without}, &object)
	return object, err
}
