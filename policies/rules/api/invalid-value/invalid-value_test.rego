package rules.api["invalid-value_test"]
