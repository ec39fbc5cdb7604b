package rules["recovery"]["cleanup-not-awaited_test"]
