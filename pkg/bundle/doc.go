// Package bundle packs the built-in policies, rules of a user and the configuration into one
// file that both programs judge by: an OPA bundle, which OPA itself reads and verifies.
//
//  1. [Build] collects the files and writes the manifest: revision, roots, and the
//     digest of what it judges by. [Bundle.Sign] adds OPA's .signatures.json.
//  2. [Bundle.Pack] writes a tar.gz, always the same bytes for the same content;
//     [Bundle.WriteLayout] an OCI layout with it, for a registry.
//  3. [Open] reads a file, a folder that holds the files, or an OCI layout. What it
//     reads is bounded, and is nothing but the files of a bundle.
//  4. [Keys] verify the signature: OPA's own verifier, with algorithms that fit the key,
//     and with days on which signatures and certificates end.
//  5. [Bundle.Engine] compiles the policies, and refuses those that do not judge by the
//     digest of the manifest. If the built-in ones are those of the program, its
//     prepared policies are used.
package bundle
