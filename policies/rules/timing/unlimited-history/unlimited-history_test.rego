package rules["timing"]["unlimited-history_test"]
