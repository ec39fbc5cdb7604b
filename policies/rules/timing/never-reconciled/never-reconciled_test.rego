package rules["timing"]["never-reconciled_test"]
