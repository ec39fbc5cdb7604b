package rules["timing"]["never-retried_test"]
