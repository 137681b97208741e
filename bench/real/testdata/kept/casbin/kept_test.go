package tools

import (
	"testing"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"

	"github.com/aiongen/aiongen/runtime/tool"
)

const rules = `
[request_definition]
r = sub, obj, act

[policy_definition]
p = sub, obj, act

[role_definition]
g = _, _

[policy_effect]
e = some(where (p.eft == allow))

[matchers]
m = g(r.sub, p.sub) && r.obj == p.obj && r.act == p.act
`

func TestCasbin(t *testing.T) {
	enforcer := firstResult(casbin.NewEnforcer(firstResult(model.NewModelFromString(rules))))
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Enforcer: enforcer}) })
	compare(t, r, "enforcer_get_policy", `{}`, firstResult(enforcer.GetPolicy()))
	compare(t, r, "enforcer_add_policy", `{"params":["editor","page","write"]}`, true)
	compare(t, r, "enforcer_add_policy", `{"params":["editor","page","write"]}`, firstResult(enforcer.AddPolicy("editor", "page", "write")))
	compare(t, r, "enforcer_add_role_for_user", `{"user":"ada","role":"editor"}`, true)
	compare(t, r, "enforcer_enforce", `{"rvals":["ada","page","write"]}`, firstResult(enforcer.Enforce("ada", "page", "write")))
	compare(t, r, "enforcer_enforce", `{"rvals":["bob","page","write"]}`, firstResult(enforcer.Enforce("bob", "page", "write")))
	_, err := enforcer.Enforce("bob")
	compareError(t, r, "enforcer_enforce", `{"rvals":["bob"]}`, err)
	compare(t, r, "enforcer_get_policy", `{}`, firstResult(enforcer.GetPolicy()))
	compare(t, r, "enforcer_get_roles_for_user", `{"name":"ada"}`, firstResult(enforcer.GetRolesForUser("ada")))
	compare(t, r, "enforcer_get_users_for_role", `{"name":"editor"}`, firstResult(enforcer.GetUsersForRole("editor")))
	compare(t, r, "enforcer_get_permissions_for_user", `{"user":"editor"}`, firstResult(enforcer.GetPermissionsForUser("editor")))
	compare(t, r, "enforcer_remove_policy", `{"params":["editor","page","write"]}`, true)
	if firstResult(enforcer.Enforce("ada", "page", "write")) {
		t.Error("the policy is still there")
	}
}
