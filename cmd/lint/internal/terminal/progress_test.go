package terminal

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out, 24, "reading .")
		time.Sleep(900 * time.Millisecond)
		p.Stop()
		if out.Len() != 0 {
			t.Errorf("a short run is spoken of: %q", out.String())
		}
		p = newProgress(&out, 24, "reading .")
		time.Sleep(1500 * time.Millisecond)
		p.Show("building cluster production")
		time.Sleep(time.Second)
		p.Stop()
		want := "\r\x1b[Kreading . (1s)" + "\r\x1b[Kbuilding cluster produc" + "\r\x1b[K"
		if out.String() != want {
			t.Errorf("written %q, want %q", out.String(), want)
		}
	})
}

// What is no terminal gets no progress.
func TestNoProgress(t *testing.T) {
	var out bytes.Buffer
	p := StartProgress(&out, "reading .")
	p.Show("more")
	p.Stop()
	if p != nil || out.Len() != 0 {
		t.Errorf("written %q", out.String())
	}
}
