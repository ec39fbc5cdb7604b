package usage

import "github.com/spf13/pflag"

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
