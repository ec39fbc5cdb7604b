package usage

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"
)

// Words registers a flag for names with commas between them, at least one.
func Words(flags *pflag.FlagSet, to *[]string, name, usage string) {
	flags.Var(&words{to}, name, usage)
}

// Name registers a flag for one name. An empty one stands for a variable that is not set,
// and must not pass as if the flag were not given.
func Name(flags *pflag.FlagSet, to *string, name, usage string) {
	flags.Var((*one)(to), name, usage)
}

// one is the value of a flag for a name.
type one string

func (o *one) String() string { return string(*o) }

// Type returns the type of texts.
func (o *one) Type() string { return "string" }

// Set takes a name.
func (o *one) Set(value string) error {
	if value == "" {
		return errors.New("the name is empty")
	}
	*o = one(value)
	return nil
}

// words is the value of a flag for names.
type words struct{ to *[]string }

func (w *words) String() string { return strings.Join(*w.to, ",") }

// Type returns the type of lists, which help shows.
func (w *words) Type() string { return "strings" }

// Set adds names. An empty one is no name: it stands for a variable that is not set.
func (w *words) Set(value string) error {
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return errors.New("a name is empty")
		}
		*w.to = append(*w.to, name)
	}
	return nil
}

// asTyped returns flags as they are typed: --fix[=KIND] for one whose value may be
// left out.
func asTyped(flags *pflag.FlagSet) *pflag.FlagSet {
	typed := pflag.NewFlagSet("", pflag.ContinueOnError)
	typed.SortFlags = flags.SortFlags
	flags.VisitAll(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" && f.Value.Type() != "bool" {
			value, usage := pflag.UnquoteUsage(f)
			f = &pflag.Flag{Name: f.Name + "[=" + value + "]", Usage: usage, Value: noValue{f.Value}}
		}
		typed.AddFlag(f)
	})
	return typed
}

// noValue is the value of a flag that help shows without one.
type noValue struct{ pflag.Value }

// Type returns the type of flags that need no value.
func (noValue) Type() string { return "bool" }
