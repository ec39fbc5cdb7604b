package rules["recovery"]["gate-dependent_test"]
