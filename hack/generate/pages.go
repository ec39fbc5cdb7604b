package main

import "context"

func pages(context.Context) (map[string][]byte, error) { return nil, nil }
