package scaffold

import (
	"cmp"
	"context"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// Many clients are a struct whose fields hold services: client.Users.List. The program has only the
// client. A tool therefore names the path from the client to the method, and Deps needs only one field for
// all tools.

// clientPaths are the paths of fields from a client to its services: "Client.Users" for UsersService.
type clientPaths map[*types.TypeName]string

// findClientPaths returns the paths from the clients that the package of the file injects or, if it
// injects none, from the type Client.
func (s *scaffold) findClientPaths(ctx context.Context, pkg *load.Package, t target) clientPaths {
	paths := clientPaths{}
	if s.home = s.loadTarget(ctx, pkg, t); s.home != nil {
		injections, _ := source.ReadInjections(s.home, resolve.IsRuntimeSupplied)
		for _, in := range injections {
			if named := namedOf(in.Type); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pkg.Path {
				if client, ok := pkg.Types.Scope().Lookup(named.Obj().Name()).(*types.TypeName); ok {
					s.injects = true
					paths.addServices(client)
				}
			}
		}
	}
	if client, ok := pkg.Types.Scope().Lookup("Client").(*types.TypeName); ok && !s.injects {
		paths.addServices(client)
	}
	return paths
}

// maxPathFields limits how many fields lead from a client to a service.
const maxPathFields = 3

// addServices adds the services to which exported fields of a client lead, each with its shortest path.
func (p clientPaths) addServices(client *types.TypeName) {
	type holder struct {
		obj  *types.TypeName
		path string
	}
	level := []holder{{client, client.Name()}}
	seen := map[*types.TypeName]bool{client: true}
	for range maxPathFields {
		var next []holder
		for _, h := range level {
			s, ok := h.obj.Type().Underlying().(*types.Struct)
			for i := 0; ok && i < s.NumFields(); i++ {
				field := s.Field(i)
				named := namedOf(field.Type())
				if !field.Exported() || field.Embedded() || named == nil || named.TypeArgs().Len() > 0 || seen[named.Obj()] || named.Obj().Pkg() != client.Pkg() || !named.Obj().Exported() {
					continue
				}
				seen[named.Obj()] = true
				path := h.path + "." + field.Name()
				next = append(next, holder{named.Obj(), path})
				if isService(named) {
					p[named.Obj()] = path
				}
			}
		}
		level = next
	}
}

// isService reports whether a type has an exported method that may fail, or that returns a request that may fail.
func isService(named *types.Named) bool {
	var holder types.Type = named
	if !types.IsInterface(named) {
		holder = types.NewPointer(named)
	}
	for selection := range types.NewMethodSet(holder).Methods() {
		if m := selection.Obj().(*types.Func); m.Exported() && (returnsError(m.Signature()) || returnsRequest(m.Signature())) {
			return true
		}
	}
	return false
}

// returnsRequest reports whether a function returns a value with a fetch method that may fail.
func returnsRequest(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && slices.ContainsFunc(fetchMethods, func(name string) bool {
		method := methodOf(sig.Results().At(0).Type(), name)
		return method != nil && returnsError(method.Signature())
	})
}

// methodPath returns the name of a method with the path from a client, such as Client.Users.List for
// UsersService.List. If there is no path, it returns the name unchanged.
func (p clientPaths) methodPath(pkg *load.Package, name string) string {
	holder, method, isMethod := strings.Cut(withoutPointer(name), ".")
	obj, ok := pkg.Types.Scope().Lookup(holder).(*types.TypeName)
	if !ok || !isMethod || strings.Contains(method, ".") {
		return name
	}
	if path := cmp.Or(p[obj], p.interfacePath(obj, method)); path != "" {
		return path + "." + method
	}
	return name
}

// interfacePath returns the path from a client to an interface that holder implements and that has the
// method. It returns "" if there is none.
func (p clientPaths) interfacePath(holder *types.TypeName, method string) (path string) {
	if types.IsInterface(holder.Type()) {
		return ""
	}
	for service, to := range p {
		iface, ok := service.Type().Underlying().(*types.Interface)
		if !ok || path != "" && path < to || !types.Implements(types.NewPointer(holder.Type()), iface) {
			continue
		}
		if slices.ContainsFunc(slices.Collect(iface.Methods()), func(m *types.Func) bool { return m.Name() == method }) {
			path = to
		}
	}
	return path
}

// isReachedOtherwise reports whether methodPath names the method of an interface instead of c, because a
// client has a field that leads to an interface with this method.
func (p clientPaths) isReachedOtherwise(c candidate) bool {
	return p[c.holder] == "" && p.interfacePath(c.holder, c.Name()) != ""
}
