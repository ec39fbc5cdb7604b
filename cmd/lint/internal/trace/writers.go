package trace

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// writersKey is the field of the shadow that lists all that wrote an object. The tags
// themselves name only the last writer of each field.
const writersKey = "flux-remedy-writers"

// stamp adds what is written at a place of a document to the writers in a shadow.
func (t *Table) stamp(shadow map[string]any, o Origin) {
	if t.ListWriters {
		tag := t.add(o)
		shadow[writersKey] = map[string]any{writerName(tag): tag}
	}
}

// stampOperation returns the operation that does the same in a JSON patch.
func (t *Table) stampOperation(o Origin) map[string]any {
	tag := t.add(o)
	return map[string]any{"op": "add", "path": "/" + key + "/" + writersKey + "/" + writerName(tag), "value": tag}
}

func writerName(tag string) string { return strings.ReplaceAll(tag, ":", "-") }

// Writers returns all that wrote a built object, its own document too, in the order in
// which their tags stand in some texts; those that stand in none come first. Nothing is
// listed unless ListWriters was set.
func (t *Table) Writers(shadow map[string]any, texts []string) []Origin {
	tags, _ := shadow[writersKey].(map[string]any)
	place := map[string]int{}
	for name, tag := range tags {
		place[name] = slices.IndexFunc(texts, func(text string) bool { return mentions(text, tag) })
	}
	names := slices.SortedFunc(maps.Keys(tags), func(a, b string) int {
		return cmp.Or(place[a]-place[b], t.compare(tags[a], tags[b]), strings.Compare(a, b))
	})
	var out []Origin
	for _, name := range names {
		if o, ok := t.Origin(tags[name]); ok {
			out = append(out, o)
		}
	}
	return out
}

// compare compares two tags by where what they refer to is written: their numbers differ from run to run.
func (t *Table) compare(a, b any) int {
	first, _ := t.Origin(a)
	second, _ := t.Origin(b)
	if first.Doc == nil || second.Doc == nil {
		return 0
	}
	return cmp.Or(strings.Compare(first.Doc.File.Name, second.Doc.File.Name), first.Doc.Line-second.Doc.Line)
}

// mentions reports whether a text has a tag, and not only the beginning of a longer one.
func mentions(text string, tag any) bool {
	whole, _ := tag.(string)
	for _, rest := range strings.Split(text, whole)[1:] {
		if strings.TrimLeft(rest, "0123456789") == rest {
			return true
		}
	}
	return false
}

// Does is what a writer does to a field.
type Does string

// What a writer can do.
const (
	Sets    Does = "sets"
	Removes Does = "removes"
)

// inList are what operations of a JSON patch do to a list: its items are no fields.
var inList = map[string]Does{"add": "adds to the list", "copy": "adds to the list", "move": "adds to the list", "replace": "replaces in the list", "remove": "removes from the list"}

// InList reports whether only an item of a list is written.
func (d Does) InList() bool { return strings.HasSuffix(string(d), " list") }

// Write is what a document or a patch does to one field. Lists are fields as a whole.
type Write struct {
	Origin
	Field release.Path // spec.upgrade.timeout
	Does  Does
}

// Writes lists what a writer, as Writers returns it, does to the fields of spec, in order.
func (o Origin) Writes() []Write {
	value, err := o.Doc.Decode()
	if err != nil {
		return nil
	}
	if ops, ok := value.([]any); ok && len(o.Path) == 0 {
		var out []Write
		for i, op := range ops {
			out = append(out, o.operation(i, op)...)
		}
		return out
	}
	value, _ = object.Follow(value, o.Path)
	spec, _ := object.At(value, "spec").(map[string]any)
	return o.merged(release.Path{"spec"}, append(slices.Clone(o.Path), "spec"), spec)
}

func (o Origin) write(field release.Path, at []any, does Does, value any) Write {
	o.Path, o.Value = at, value
	return Write{Origin: o, Field: field, Does: does}
}

// merged returns what the value of a field writes, where a patch or a document has it. A
// directive removes what was there before.
func (o Origin) merged(field release.Path, at []any, value any) []Write {
	fields, ok := value.(map[string]any)
	switch {
	case value == nil:
		return []Write{o.write(field, at, Removes, nil)}
	case !ok:
		return []Write{o.write(field, at, Sets, value)}
	}
	var out []Write
	if fields["$patch"] == "delete" || fields["$patch"] == "replace" {
		out = append(out, o.write(field, append(slices.Clone(at), "$patch"), Removes, nil))
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		directive := strings.HasPrefix(name, "$") && !strings.HasPrefix(name, "${") // $patch, and no name that is a variable
		if !directive {
			out = append(out, o.merged(append(slices.Clone(field), name), append(slices.Clone(at), name), fields[name])...)
		}
	}
	return out
}

// operation returns what an operation of a JSON patch writes.
func (o Origin) operation(i int, op any) []Write {
	field, item := fieldOf(object.String(op, "path"))
	if len(field) == 0 || field[0] != "spec" || object.String(op, "op") == "test" {
		return nil
	}
	value := object.At(op, "value")
	if from := object.String(op, "from"); from != "" {
		value = "the value of " + from
	}
	switch fields, ok := value.(map[string]any); {
	case item:
		return []Write{o.write(field, []any{i}, inList[object.String(op, "op")], value)}
	case object.String(op, "op") == "remove":
		return []Write{o.write(field, []any{i}, Removes, nil)}
	case ok:
		removed := o.write(field, []any{i}, Removes, nil)
		return append([]Write{removed}, o.merged(field, []any{i, "value"}, fields)...)
	}
	return []Write{o.write(field, []any{i, "value"}, Sets, value)}
}

// fieldOf returns the field of a JSON pointer: the list, if it points to an item of one.
func fieldOf(pointer string) (field release.Path, item bool) {
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if step == "-" || step != "" && strings.Trim(step, "0123456789") == "" {
			return field, true
		}
		field = append(field, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return field, false
}
