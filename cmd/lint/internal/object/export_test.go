package object

// Kinds is the table of kinds.
var Kinds = kinds
