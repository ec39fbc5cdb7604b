package document

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// Section is a part of a report: what there is to say of one kind, the most important first.
type Section struct {
	Entries []Entry
	// Noun names the entries that a screen may have no room for; empty if it shows all, in two lines each.
	Noun string
	// Share says how much of a screen it gets in any case: a third for 3. The section with a noun and no share gets what
	// the others leave, and shows its first entry in any case.
	Share int
	// Apart has an empty line between entries, Ended one behind the last. Spare is left out of a screen that is too small.
	Apart, Ended, Spare bool
}

// Entry is whole lines. Where a screen has no room for Full, the first entry of a section is shown as Brief and others as Line,
// which may be empty.
type Entry struct{ Full, Brief, Line string }

// Entries returns a paragraph of one colour for each line.
func (t *Text) Entries(color string, lines ...string) []Entry {
	return words.Of(lines, func(line string) Entry {
		return Entry{Full: t.Drawn(func(t *Text) { t.Paragraph("", Span{Text: line, Color: color}) })}
	})
}

// Sections writes sections. A screen that has no room for all shows the beginning of each, and how many entries it leaves out.
func (t *Text) Sections(all ...Section) {
	all = filled(all)
	if t.Height > 0 && t.Rows(texts(all)...) > t.Room() {
		all = filled(t.fit(slices.DeleteFunc(all, func(s Section) bool { return s.Spare })))
	}
	for _, text := range texts(all) {
		t.WriteString(text)
	}
}

func filled(all []Section) []Section {
	return slices.DeleteFunc(all, func(s Section) bool { return len(s.Entries) == 0 })
}

// texts returns the entries in full, with the empty lines between them.
func texts(all []Section) (out []string) {
	for i, s := range all {
		for n, e := range s.Entries {
			if s.Apart && n > 0 {
				out = append(out, "\n")
			}
			out = append(out, e.Full)
		}
		if s.Ended && i < len(all)-1 {
			out = append(out, "\n")
		}
	}
	return out
}

func (t *Text) rows(s Section) int { return t.Rows(texts([]Section{s})...) }

// fit shortens sections to a screen: first what all is shown of, then what gets the rest, then what has a share.
func (t *Text) fit(all []Section) []Section {
	room := t.Room() - 1 // for the note
	for i, s := range all {
		if s.Ended {
			room--
		}
		if s.Noun == "" {
			all[i].Entries = words.Of(s.Entries, func(e Entry) Entry { return Entry{Full: t.Clip(e.Full, 2)} })
			room -= t.rows(all[i])
		}
	}
	shares, most := make([]int, len(all)), room
	for i, s := range all {
		if s.Share > 0 {
			shares[i] = min(t.rows(s), most/s.Share)
			room -= shares[i]
		}
	}
	left := make([]string, len(all))
	for _, shared := range []bool{false, true} {
		for i, s := range all {
			if s.Noun != "" && s.Share > 0 == shared {
				n := 0
				all[i].Entries, n = t.shorten(s, room+shares[i])
				if room += shares[i] - t.rows(all[i]); n > 0 {
					left[i] = words.Count(n, s.Noun)
				}
			}
		}
	}
	note := "shortened; --all shows everything"
	if left = slices.DeleteFunc(left, func(text string) bool { return text == "" }); len(left) > 0 {
		note += " (left out: " + words.List(left) + ")"
	}
	return append(all, Section{Entries: []Entry{{Full: t.Clip(t.note(note), 1)}}})
}

// shorten returns the entries that there is room for, and how many there are not: the first in full, more of them in a line each.
func (t *Text) shorten(s Section, room int) (shown []Entry, left int) {
	share := room / 6 // for entries in a line
	for i, e := range s.Entries {
		free := room - t.rows(Section{Entries: append(shown, Entry{}), Apart: s.Apart})
		named := min(len(s.Entries)-i-1, share)
		if named > 0 && s.Apart {
			named += 2 // an empty line, and one that counts
		}
		switch {
		case t.Rows(e.Full) <= free-named:
		case i > 0 || s.Share > 0:
			lines, left := t.name(s.Entries[i:], free)
			return append(shown, lines...), left
		case t.Rows(e.Full) > free:
			e.Full = t.Clip(cmp.Or(e.Brief, e.Full), max(free, 1))
		}
		shown = append(shown, Entry{Full: e.Full})
	}
	return shown, 0
}

// name shows entries in a line each, as many as there is room for, and counts the others.
func (t *Text) name(all []Entry, room int) (shown []Entry, left int) {
	text, most := "", min(room, 2)
	if all[0].Line != "" && len(all) > 1 {
		text = t.note(fmt.Sprintf("%d more, in full with --all:", len(all)))
		most = min(room-1, 2)
	}
	for i, e := range all {
		line := t.Clip(cmp.Or(e.Line, e.Full), max(most, 1))
		if t.Rows(text, line) > room {
			left = len(all) - i
			break
		}
		text += line
	}
	if left == len(all) {
		return nil, left
	}
	return []Entry{{Full: text}}, left
}

// note returns a line about the screen.
func (t *Text) note(line string) string { return t.Paint(Dim, line) + "\n" }
