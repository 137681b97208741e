package shape

import (
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// Some clients return data as an interface whose methods return one value each. An example is KeyValueEntry
// of NATS, with the methods Key and Value. In this file, such methods are called accessors.

// minAccessors is the smallest number of accessors of an interface that counts as data.
const minAccessors = 2

// actionName matches the names of methods without parameters that do more than return a value.
var actionName = lazyregexp.Regexp{Text: `^(?:Next|Scan|Read|Recv|Receive|Pop|Poll|Peek|Load|Run|Do|Exec|Call|Get|Open|Close|Start|Stop|Begin|Flush|Commit|Rollback|Lock|Unlock|Wait|Advance|Inc|Dec|Clone|Copy)$` +
	`|^(?:Try|Delete|Remove|Create|Fetch|Generate|Increment|Reset|Rotate|Refresh|Acquire|Release|Drain|Cancel|New)(?:[A-Z\d].*)?$`}

// secretName matches the names of methods that may return a secret.
var secretName = lazyregexp.Regexp{Text: `(?i)passw|passphrase|secret|credential|token|cookie|authorization|bearer|mnemonic|connectionstring` +
	`|(?:api|private|access|signing|encryption|session|shared)_?key` + `|(?-i:(?:DSN|PIN|OTP|Dsn|Pin|Otp)$)`}

// accessorsOf returns the accessors of a result whose type is an interface that counts as data. The interface must
//
//   - be declared outside of the standard library,
//   - have at least minAccessors accessors, and no other methods except String,
//   - have no accessor that may return a secret, and
//   - be implemented in its package by a type whose methods only return values, because other methods might do anything.
//
// For other types, accessorsOf returns nil.
func (r *typeReader) accessorsOf(t types.Type) (accessors []*types.Func) {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !types.IsInterface(named) || !r.canSeal(named.Obj()) {
		return nil
	}
	names, methods := map[string]bool{}, []string(nil)
	for m := range named.Underlying().(*types.Interface).Methods() {
		results := m.Signature().Results()
		switch {
		case m.Signature().Params().Len() > 0 || results.Len() != 1 || !isAccessor(m) || names[accessorName(m)]:
			return nil
		case m.Name() == "String" && types.Identical(results.At(0).Type(), types.Typ[types.String]):
		case !r.isAccessible(types.Unalias(results.At(0).Type())):
			return nil
		default:
			names[accessorName(m)] = true
			accessors, methods = append(accessors, m), append(methods, m.Name())
		}
	}
	if len(accessors) < minAccessors || !r.docs.PackageDoc(named.Obj().Pkg()).HasGetters(methods) {
		return nil
	}
	return accessors
}

// canSeal reports whether generated code can name an interface and the interface is outside of the standard
// library. Interfaces of the standard library, such as ast.Expr, are not meant for JSON.
func (s *Shapes) canSeal(obj *types.TypeName) bool {
	path := obj.Pkg().Path()
	root, _, _ := strings.Cut(path, "/")
	isStandard := !strings.Contains(root, ".") && !s.write.OwnsPackage(path)
	return !isStandard && (obj.Exported() || obj.Pkg() == s.write.Package.Types)
}

// isAccessor reports whether the name of a method can be that of an accessor.
func isAccessor(m *types.Func) bool {
	return m.Exported() && !actionName.Get().MatchString(m.Name()) && !secretName.Get().MatchString(m.Name())
}

// accessorName returns the name of the value that an accessor returns.
func accessorName(m *types.Func) string {
	name := m.Name()
	if rest := strings.TrimPrefix(name, "Get"); rest != "" && strings.ToUpper(rest[:1]) == rest[:1] {
		name = rest
	}
	return goname.SnakeCase(name)
}

// isAccessible reports whether a type that an accessor returns is data: it has a form in JSON, and is neither an error nor
// an interface nor made of interfaces.
func (r *typeReader) isAccessible(t types.Type) bool {
	return !r.isByReference(t) && !holdsInterfaces(t) && !types.Implements(t, errorInterface)
}

// holdsInterfaces reports whether a type is an interface, a channel or a function, or a pointer, list or map that
// leads to one.
func holdsInterfaces(t types.Type) bool {
	for seen := []types.Type(nil); !slices.Contains(seen, t); {
		seen = append(seen, t)
		switch u := t.Underlying().(type) {
		case *types.Interface, *types.Chan, *types.Signature:
			return true
		case interface{ Elem() types.Type }: // a pointer, list or map
			t = types.Unalias(u.Elem())
		default:
			return false
		}
	}
	return false
}
