package shape

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// DeclareUnions declares interfaces with known implementations. Call it before a type is read.
func (s *Shapes) DeclareUnions(all []source.Union) {
	for i := range all {
		s.unions.Set(all[i].Type, &all[i])
	}
}

// unionOf returns the union of an interface if its variants are declared or the interface is sealed.
// Otherwise it returns nil.
func (s *Shapes) unionOf(t types.Type) *source.Union {
	named, ok := t.(*types.Named)
	if !ok || !types.IsInterface(named) || named.Obj().Pkg() == nil {
		return nil
	}
	if known, ok := s.unions.At(t).(*source.Union); ok {
		return known
	}
	u := s.findSealed(named)
	s.unions.Set(t, u)
	return u
}

// findSealed returns the union of a sealed interface: one that only its package can implement, because it has
// an unexported method. It returns nil for other interfaces, and for a sealed interface if
//   - it belongs to the standard library, or generated code cannot name it,
//   - its name is that of options, such as CallOption,
//   - no exported type implements it, or
//   - two types that implement it have the same name.
func (s *Shapes) findSealed(t *types.Named) *source.Union {
	i := t.Underlying().(*types.Interface)
	if !i.IsMethodSet() || !s.canSeal(t.Obj()) || hasOptionName(t.Obj().Name()) || source.IsErrorOrContext(t) {
		return nil
	}
	u := &source.Union{Type: t, Member: source.VariantMember}
	for _, pkg := range sealingPackages(t, i) {
		for _, named := range s.implementationTypes(pkg, t) {
			switch {
			case types.Implements(named, i):
				u.Variants = append(u.Variants, source.NewVariant(named))
			case types.Implements(types.NewPointer(named), i):
				u.Variants = append(u.Variants, source.NewVariant(types.NewPointer(named)))
			}
		}
	}
	if _, _, same := source.FindSameName(u.Variants); len(u.Variants) == 0 || same {
		return nil
	}
	if !s.write.OwnsPackage(t.Obj().Pkg().Path()) && s.hasVariantField(u, u.Member) { // in the user's module, the user is asked to choose another member
		u.Member = source.OtherMember(u.Member)
	}
	return u
}

// hasVariantField reports whether a variant has a field with the given JSON name. Variants that are both
// read and written by their own methods do not count.
func (s *Shapes) hasVariantField(u *source.Union, name string) bool {
	return slices.ContainsFunc(u.Variants, func(v source.Variant) bool {
		t := source.Deref(v.Type)
		reader, writer := typeReader{Shapes: s}, typeReader{Shapes: s, output: true}
		_, reads := reader.ownForm(t)
		_, writes := writer.ownForm(t)
		if _, isStruct := t.Underlying().(*types.Struct); !isStruct || reads && writes {
			return false
		}
		fields, _ := JSONFields(s.write.Budget, t, nil, nil)
		return slices.ContainsFunc(fields, func(f JSONField) bool { return f.Name == name })
	})
}

// sealingPackages returns the packages of the unexported methods of an interface, and the package of the interface.
// It returns nil if there are no unexported methods.
func sealingPackages(t *types.Named, i *types.Interface) (pkgs []*types.Package) {
	for m := range i.Methods() {
		if m.Exported() {
			continue
		}
		for _, pkg := range []*types.Package{t.Obj().Pkg(), m.Pkg()} {
			if !slices.ContainsFunc(pkgs, func(known *types.Package) bool { return known.Path() == pkg.Path() }) {
				pkgs = append(pkgs, pkg)
			}
		}
	}
	return pkgs
}

// implementationTypes returns the exported types of a package that may implement an interface. Generic
// types are instantiated with the type arguments of the interface.
func (s *Shapes) implementationTypes(pkg *types.Package, t *types.Named) (all []types.Type) {
	var args []types.Type
	for arg := range t.TypeArgs().Types() {
		args = append(args, arg)
	}
	for _, named := range s.exportedTypes(pkg, len(args)) {
		if named.TypeParams().Len() == 0 {
			all = append(all, named)
		} else if instance, err := types.Instantiate(nil, named, args, true); err == nil {
			all = append(all, instance)
		}
	}
	return all
}

// knownUnion returns the union of an interface if arguments or results can contain its variants. A sealed
// interface is passed by reference instead, and knownUnion returns nil, if one of the variants
//   - has no form in JSON,
//   - cannot be named by generated code, or
//   - has a clashing field; see findVariantClash.
func (r *typeReader) knownUnion(t types.Type) *source.Union {
	if r.nested {
		return nil // encoding/json cannot read interfaces
	}
	u := r.unionOf(t)
	if u == nil || u.Declared {
		return u
	}
	if clash, _ := r.findVariantClash(u); clash != nil || !r.canReadVariants(u) {
		return nil
	}
	return u
}

// canReadVariants reports whether generated code can name all variants of a union, and all have a form in JSON.
func (r *typeReader) canReadVariants(u *source.Union) bool {
	return !slices.ContainsFunc(u.Variants, func(v source.Variant) bool {
		_, err := r.write.GoType(v.Type)
		return err != nil || r.isByReference(v.Type)
	})
}

// findVariantClash returns a variant with a field that clashes with the member that names the variant, and
// the Go name of the field. If that member is "type", for example, a field with the JSON name "type" clashes
// with it. It returns nil if there is no such variant.
func (r *typeReader) findVariantClash(u *source.Union) (t types.Type, field string) {
	for _, v := range u.Variants {
		elem := source.Deref(v.Type)
		_, isStruct := elem.Underlying().(*types.Struct)
		_, own := r.ownForm(elem)
		if !isStruct || own {
			if u.Member == model.VariantValue {
				return v.Type, model.VariantValue
			}
			continue
		}
		fields, _ := r.fieldsOf(elem)
		for _, f := range fields {
			if f.Name == u.Member {
				return v.Type, f.Selector()
			}
		}
	}
	return nil, ""
}

// FindVariantClash returns a variant with a field that clashes with the member that names the variant, and
// the Go name of the field. If that member is "type", for example, a field with the JSON name "type" clashes
// with it. It returns nil if there is no such variant.
func (s *Shapes) FindVariantClash(u *source.Union) (t types.Type, field string) {
	for _, output := range []bool{false, true} {
		r := typeReader{Shapes: s, output: output}
		if t, field = r.findVariantClash(u); t != nil {
			break
		}
	}
	return t, field
}

// fillUnion sets the variants of an interface.
func (r *typeReader) fillUnion(m *model.Type, u *source.Union) error {
	m.Kind, m.Member = model.Union, u.Member
	for _, v := range u.Variants {
		f := &model.Field{Name: v.Name, Path: []string{source.NamedOf(v.Type).Obj().Name()}}
		if err := r.readInto(&f.Type, v.Type); err != nil {
			return fmt.Errorf("variant %s: %w", r.write.Package.TypeName(v.Type), err)
		}
		m.Fields = append(m.Fields, f)
	}
	return nil
}

// warnOfVariantClash reports that a sealed interface is passed by reference because of a clashing field; see
// findVariantClash.
func (r *typeReader) warnOfVariantClash(t types.Type) {
	u := r.unionOf(t)
	if u == nil || u.Declared || r.nested {
		return
	}
	variant, field := r.findVariantClash(u)
	if variant == nil || !r.canReadVariants(u) {
		return
	}
	at := r.at
	named := t.(*types.Named)
	if named.Obj().Pkg() == r.write.Package.Types {
		at = r.write.Package.DeclarationSpan(named.Obj())
	}
	d := r.faults.Warnf("union-clash", at, "%s is passed by reference: the member %s would name the variant, but %s has the field %s",
		r.write.Package.TypeName(t), u.Member, r.write.Package.TypeName(variant), field)
	if !r.write.OwnsPackage(named.Obj().Pkg().Path()) {
		d.Severity = diag.Note
	}
	d.WithHelp("list the variants with another member: var _ = tool.Union[%s](…).Member(%q)", r.write.Package.TypeName(t), source.OtherMember(u.Member))
}
