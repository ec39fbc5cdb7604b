package rules["recovery"]["ineffective-setting_test"]
