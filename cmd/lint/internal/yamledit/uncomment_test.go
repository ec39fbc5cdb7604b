package yamledit

import "testing"

func TestUncommentAt(t *testing.T) {
	at := Address{{Path: []any{"spec", "upgrade", "remediation", "retries"}}}
	for name, tc := range map[string]struct{ text, want string }{
		"behind and above": {
			"spec:\n  upgrade:\n    # of upgrades\n    remediation:\n      other: 1 # stays\n      # never\n      # give up\n      retries: 3 # ever\n",
			"spec:\n  upgrade:\n    # of upgrades\n    remediation:\n      other: 1 # stays\n      retries: 3\n",
		},
		"of the mapping that has nothing else": {
			"spec:\n  # failures\n  upgrade: # and this\n    # never give up\n    remediation: # ever\n      retries: 3\n",
			"spec:\n  # failures\n  upgrade: # and this\n    remediation:\n      retries: 3\n",
		},
		"in braces": {
			"spec:\n  # never\n  upgrade: {remediation: {retries: 3, x: '#no'}} # ever\n",
			"spec:\n  upgrade: {remediation: {retries: 3, x: '#no'}}\n",
		},
		"of others":         {"spec:\n  upgrade:\n    remediation:\n      retries: 3\n      # why\n      other: 1\n", ""},
		"in another column": {"spec:\n  upgrade:\n    remediation:\n  # not of it\n      retries: 3\n      other: 1\n", ""},
		"with CRLF":         {"spec:\r\n  upgrade:\r\n    remediation:\r\n      retries: 3 # ever\r\n", "spec:\r\n  upgrade:\r\n    remediation:\r\n      retries: 3\r\n"},
		"not written":       {"spec:\n  upgrade: # why\n    other: 1\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			want := tc.want
			if want == "" {
				want = tc.text
			}
			got, err := UncommentAt([]byte(tc.text), at, 2)
			if err != nil || string(got) != want {
				t.Errorf("got\n%s\nwant\n%s\n%v", got, want, err)
			}
		})
	}
}
