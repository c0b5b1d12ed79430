package std

import (
	"os/user"

	"gotorch/interp/std/env"
)

// The lists of users and groups are read by C code, which aborts the process for a name that its stack does not hold.

// longestName is more than systems let the name of a user or a group be.
const longestName = 1 << 10

// patchUser finds nobody under a name that no system allows.
func patchUser(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"Lookup": func(name string) (*user.User, error) {
			if len(name) > longestName {
				return nil, user.UnknownUserError(name)
			}
			return user.Lookup(name)
		},
		"LookupId": func(id string) (*user.User, error) {
			if len(id) > longestName {
				return nil, user.UnknownUserIdError(-1)
			}
			return user.LookupId(id)
		},
		"LookupGroup": func(name string) (*user.Group, error) {
			if len(name) > longestName {
				return nil, user.UnknownGroupError(name)
			}
			return user.LookupGroup(name)
		},
		"LookupGroupId": func(id string) (*user.Group, error) {
			if len(id) > longestName {
				return nil, user.UnknownGroupIdError(id)
			}
			return user.LookupGroupId(id)
		},
	})
}

// userMethods are those of user.User, whose fields cells set.
var userMethods = map[string]func(*env.Env) any{
	"User.GroupIds": func(*env.Env) any {
		return func(u *user.User) ([]string, error) {
			if u != nil && len(u.Username) > longestName {
				return nil, user.UnknownUserError(u.Username)
			}
			return u.GroupIds()
		}
	},
}
