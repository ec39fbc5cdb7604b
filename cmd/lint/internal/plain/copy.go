package plain

import "reflect"

// Verbatim is text that [Copy] leaves alone, as the content of a file. Whoever
// writes it must know what it may do there.
type Verbatim string

// Copy returns a copy of v, all the way down, with every string as a function
// returns it; v stays as it is. Unexported fields are copied as they are.
func Copy[T any](v T, of func(string) string) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	copyTo(out, reflect.ValueOf(&v).Elem(), of)
	return out.Interface().(T)
}

var verbatim = reflect.TypeFor[Verbatim]()

func copyTo(to, from reflect.Value, of func(string) string) {
	to.Set(from)
	switch from.Kind() {
	case reflect.String:
		if from.Type() != verbatim {
			to.SetString(of(from.String()))
		}
	case reflect.Pointer, reflect.Interface:
		if !from.IsNil() {
			to.Set(reference(from, of))
		}
	case reflect.Struct:
		for i := range from.NumField() {
			if from.Type().Field(i).IsExported() {
				copyTo(to.Field(i), from.Field(i), of)
			}
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		}
		for i := range from.Len() {
			copyTo(to.Index(i), from.Index(i), of)
		}
	case reflect.Array:
		for i := range from.Len() {
			copyTo(to.Index(i), from.Index(i), of)
		}
	case reflect.Map:
		copyMap(to, from, of)
	}
}

// reference copies what a pointer or an interface holds.
func reference(from reflect.Value, of func(string) string) reflect.Value {
	held := from.Elem()
	next := reflect.New(held.Type())
	copyTo(next.Elem(), held, of)
	if from.Kind() == reflect.Pointer {
		return next.Convert(from.Type())
	}
	return next.Elem()
}

func copyMap(to, from reflect.Value, of func(string) string) {
	if from.IsNil() {
		return
	}
	to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
	for _, key := range from.MapKeys() {
		k, v := reflect.New(key.Type()).Elem(), reflect.New(from.Type().Elem()).Elem()
		copyTo(k, key, of)
		copyTo(v, from.MapIndex(key), of)
		to.SetMapIndex(k, v)
	}
}
