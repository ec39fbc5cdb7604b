// Package places says what is in the input of the policies, part by part.
//
// A [Place] names a part. [Append] writes what is there as a text by which two inputs can be told apart, and [TermOf] makes it a
// term of Rego. Both read the same values: objects, lists, texts, numbers, true and false as encoding/json has them; values of Go,
// as [reflect.Value]; what is [Sealed], and so not looked into; and [Lists], which are made when somebody asks.
//
// The package knows no rules and no releases, and evaluates nothing.
package places
