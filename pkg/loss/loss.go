package loss

import (
	"fmt"
	"slices"
	"strings"
)

// Loss is what an uninstall of a release does to what holds data.
type Loss struct {
	// Chart is the name and the version of the chart.
	Chart string `json:"chart"`
	// Gone are the objects that hold data and are deleted, and Kept those that stay.
	Gone []Fate `json:"gone,omitempty"`
	Kept []Fate `json:"kept,omitempty"`
	// Dropped are those that an upgrade deletes, because the version of the chart that it is compared
	// with has them and this one has not.
	Dropped []Fate `json:"dropped,omitempty"`
	// Others is how many other objects are deleted.
	Others int `json:"others"`
}

// Each calls a function with each object that is named.
func (l *Loss) Each(f func(*Fate)) {
	for _, list := range [][]Fate{l.Gone, l.Kept, l.Dropped} {
		for i := range list {
			f(&list[i])
		}
	}
}

// Of returns what an uninstall of a release does to what holds data.
func Of(r Release) *Loss {
	out := &Loss{Chart: r.Chart}
	for _, f := range Fates(r) {
		switch {
		case f.Data && f.Deleted:
			out.Gone = append(out.Gone, f)
		case f.Data:
			out.Kept = append(out.Kept, f)
		case f.Deleted:
			out.Others++
		}
	}
	return out
}

// Lost returns what is deleted and whose data is lost with it.
func (l *Loss) Lost() []Fate {
	return slices.DeleteFunc(slices.Clone(l.Gone), func(f Fate) bool { return !f.Lost() })
}

// Dropped returns what holds data in a release and is not in the version that it is upgraded to: the
// upgrade deletes it, unless it is annotated to be kept, in exactly that word (update in
// pkg/kube/client.go). Hooks are not compared.
func Dropped(from, to Release) []Fate {
	stays := map[Object]bool{}
	for _, f := range Fates(to) {
		stays[f.Object] = !f.hook
	}
	t := newTeller(from)
	var out []Fate
	for _, object := range from.objects() {
		f := t.describe(object, policy{deleted: true})
		if f.Data && !policyOf(object).hook && !stays[f.Object] && f.annotations[policyAnnotation] != "keep" {
			out = append(out, f)
		}
	}
	return out
}

// String names the object with its size and what is to be said of it.
func (f Fate) String() string {
	text := f.Object.String()
	switch {
	case f.Size != "" && f.Note != "":
		return fmt.Sprintf("%s (%s; %s)", text, f.Size, f.Note)
	case f.Size != "", f.Note != "":
		return fmt.Sprintf("%s (%s)", text, f.Size+f.Note)
	}
	return text
}

// Say says what is known of a loss, and why it is not certain or not known; "" if nobody asks.
func Say(l *Loss, doubt string) string {
	switch {
	case l == nil && doubt == "":
		return ""
	case l == nil:
		return "deletes what cannot be said: " + doubt
	case doubt != "":
		return l.Sentence() + " (not certain: " + doubt + ")"
	}
	return l.Sentence()
}

// mostNamed is how many objects a sentence names.
const mostNamed = 4

// Sentence says what an uninstall deletes and keeps: "deletes PersistentVolumeClaim data (8Gi) and 6
// objects without data; keeps PersistentVolumeClaim data-redis-0 (8Gi; StatefulSet redis leaves it)".
func (l *Loss) Sentence() string {
	gone := names(l.Gone)
	if l.Others > 0 || len(gone) == 0 {
		gone = append(gone, count(l.Others, "object")+" without data")
	}
	out := "deletes " + joined(gone)
	if len(l.Kept) > 0 {
		out += "; keeps " + joined(names(l.Kept))
	}
	return out
}

func names(fates []Fate) []string {
	var out []string
	for i, f := range fates {
		if i == mostNamed {
			return append(out, fmt.Sprintf("%d more", len(fates)-mostNamed))
		}
		out = append(out, f.String())
	}
	return out
}

func joined(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
