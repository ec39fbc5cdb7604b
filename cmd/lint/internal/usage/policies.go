package usage

import "github.com/spf13/cobra"

// Policies registers the flags that name the policies: folders of rules, or a bundle and the
// keys that must have signed it.
func Policies(cmd *cobra.Command, folders *[]string, bundle *string, keys *[]string) {
	Folders(cmd, folders)
	Name(cmd.Flags(), bundle, "bundle", "bundle `FILE|DIR` of rules and configuration, instead of the built-in ones")
	Keys(cmd, keys)
	Exclude(cmd, "bundle", "policy")
	Need(cmd, "verify-key", "bundle")
}

// Folders registers the flag that adds rules.
func Folders(cmd *cobra.Command, to *[]string) {
	cmd.Flags().StringArrayVar(to, "policy", nil, "folder `DIR` of rules of your own; repeatable")
}

// Keys registers the flag of those who take only bundles that are signed.
func Keys(cmd *cobra.Command, to *[]string) {
	cmd.Flags().StringArrayVar(to, "verify-key", nil, "public key or certificate `FILE|env:NAME` that must have signed the bundle; repeatable")
}

// Config registers the flag that names a configuration, for what reads no paths. One of that
// name is found without it.
func Config(cmd *cobra.Command, to *string, name string) {
	cmd.Flags().StringVar(to, "config", "", "configuration `FILE` (default: "+name+" found upward from the working directory)")
}
