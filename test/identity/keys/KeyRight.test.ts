import { assert, describe, it } from "@effect/vitest"
import {
  administration,
  contentStaff,
  moderators,
  supportStaff
} from "../../../src/identity/authentication/Authentication.ts"
import { meet, roleOfKey } from "../../../src/identity/keys/KeyRight.ts"
import { Role } from "../../../src/identity/people/Role.ts"
import { allows, features } from "../../../src/identity/people/Scope.ts"

// Every set of roles that a route may want of a member.
const groups = [administration, contentStaff, supportStaff, moderators, Role.literals, ["owner"] as const]
const rightsOf = (one: Role) => groups.map((group) => group.some((allowed) => allowed === one))

describe("the role of a key", () => {
  it.prop("gives no right that either of two roles does not give", [Role, Role], ([one, other]) => {
    const both = rightsOf(meet(one, other))
    const [a, b] = [rightsOf(one), rightsOf(other)]
    assert.isTrue(both.every((may, index) => !may || a[index] === true && b[index] === true))
  })

  it.prop("is the same whichever of two is named first, and a role met with itself", [Role, Role], ([one, other]) => {
    assert.strictEqual(meet(one, other), meet(other, one))
    assert.strictEqual(meet(one, one), one)
  })

  it("is never the owner's, and the highest below it where none was chosen", () => {
    assert.strictEqual(roleOfKey(null, "owner"), "admin")
    assert.strictEqual(roleOfKey("admin", "owner"), "admin")
    for (const makers of Role.literals) assert.notStrictEqual(roleOfKey(null, makers), "owner")
  })

  it("falls with that of whom it acts for", () => {
    assert.deepStrictEqual(
      Role.literals.map((makers) => roleOfKey("editor", makers)),
      ["editor", "editor", "editor", "viewer", "viewer"]
    )
    assert.deepStrictEqual(
      Role.literals.map((makers) => roleOfKey("admin", makers)),
      ["admin", "admin", "editor", "support", "viewer"]
    )
  })
})

describe("a scope", () => {
  it("lets into its own area alone, and reading does not write", () => {
    for (const feature of features) {
      for (const other of features) {
        const isOwn = feature === other
        assert.strictEqual(allows([`${feature}:read`], other, true), isOwn)
        assert.isFalse(allows([`${feature}:read`], other, false))
        assert.strictEqual(allows([`${feature}:write`], other, true), isOwn)
        assert.strictEqual(allows([`${feature}:write`], other, false), isOwn)
      }
    }
    assert.isFalse(allows([], "students", true))
  })
})
