package main

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// service stands for a Service and kube-proxy: an address that passes new
// connections to the endpoints behind it in turn. Without endpoints it closes
// them.
type service struct {
	listener net.Listener
	accepted atomic.Int64 // connections so far

	mu        sync.Mutex
	endpoints []string
	next      int
	open      map[net.Conn]bool
}

func newService() (*service, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &service{listener: listener, open: map[net.Conn]bool{}}
	go s.serve()
	return s, nil
}

func (s *service) address() string { return s.listener.Addr().String() }

// to puts these addresses behind the service. Open connections stay open, as in a
// cluster.
func (s *service) to(endpoints ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endpoints = endpoints
}

// cut closes all open connections.
func (s *service) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.open {
		conn.Close()
	}
}

func (s *service) serve() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.accepted.Add(1)
		go s.forward(conn)
	}
}

func (s *service) pick() (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.endpoints) == 0 {
		return "", false
	}
	s.next++
	return s.endpoints[s.next%len(s.endpoints)], true
}

func (s *service) forward(conn net.Conn) {
	s.track(conn, true)
	defer s.track(conn, false)
	defer conn.Close()
	endpoint, ok := s.pick()
	if !ok {
		return
	}
	backend, err := net.Dial("tcp", endpoint)
	if err != nil {
		return
	}
	defer backend.Close()
	go func() {
		_, _ = io.Copy(backend, conn)
		_ = backend.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(conn, backend)
}

func (s *service) track(conn net.Conn, open bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if open {
		s.open[conn] = true
	} else {
		delete(s.open, conn)
	}
}
