package plain

import "reflect"

// Verbatim is text that [Copy] leaves alone, as the content of a file. Whoever
// writes it must know what it may do there.
type Verbatim string

// Copy returns a copy of v, all the way down, with every string as a function
// returns it; v stays as it is. Unexported fields are copied as they are.
func Copy[T any](v T, of func(string) string) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	c := copier{of, map[reflect.Type][]int{}}
	c.copy(out, reflect.ValueOf(&v).Elem())
	return out.Interface().(T)
}

// copier makes one copy.
type copier struct {
	of       func(string) string
	exported map[reflect.Type][]int // the fields of a struct
}

var verbatim = reflect.TypeFor[Verbatim]()

func (c copier) copy(to, from reflect.Value) {
	to.Set(from)
	switch from.Kind() {
	case reflect.String:
		if from.Type() != verbatim {
			to.SetString(c.of(from.String()))
		}
	case reflect.Pointer, reflect.Interface:
		if !from.IsNil() {
			to.Set(c.reference(from))
		}
	case reflect.Struct:
		for _, i := range c.fields(from.Type()) {
			c.copy(to.Field(i), from.Field(i))
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		}
		for i := range from.Len() {
			c.copy(to.Index(i), from.Index(i))
		}
	case reflect.Array:
		for i := range from.Len() {
			c.copy(to.Index(i), from.Index(i))
		}
	case reflect.Map:
		c.copyMap(to, from)
	}
}

// fields lists the exported fields of a struct.
func (c copier) fields(of reflect.Type) []int {
	list, known := c.exported[of]
	if !known {
		for i := range of.NumField() {
			if of.Field(i).IsExported() {
				list = append(list, i)
			}
		}
		c.exported[of] = list
	}
	return list
}

// reference copies what a pointer or an interface holds.
func (c copier) reference(from reflect.Value) reflect.Value {
	held := from.Elem()
	next := reflect.New(held.Type())
	c.copy(next.Elem(), held)
	if from.Kind() == reflect.Pointer {
		return next.Convert(from.Type())
	}
	return next.Elem()
}

func (c copier) copyMap(to, from reflect.Value) {
	if from.IsNil() {
		return
	}
	to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
	for _, key := range from.MapKeys() {
		k, v := reflect.New(key.Type()).Elem(), reflect.New(from.Type().Elem()).Elem()
		c.copy(k, key)
		c.copy(v, from.MapIndex(key))
		to.SetMapIndex(k, v)
	}
}
