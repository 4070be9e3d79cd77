import { assert, describe, it } from "@effect/vitest"
import { mayGive } from "../../../src/console/club/Ranks.ts"
import { may, type Right } from "../../../src/console/club/Rights.ts"
import { administration, contentStaff, supportStaff } from "../../../src/identity/authentication/Authentication.ts"
import { Role } from "../../../src/identity/people/Role.ts"
import { mayManage } from "../../../src/membership/clubs/Member.ts"

const roles = Role.literals

const rights: ReadonlyArray<readonly [Right, ReadonlyArray<string>]> = [
  ["administer", administration],
  ["teach", contentStaff],
  ["support", supportStaff],
  ["read", roles]
]

describe("What the console offers", () => {
  it.each(rights)("to %s is what the contract allows, role by role", (right, allowed) => {
    assert.deepStrictEqual(roles.filter((role) => may(role, right)), roles.filter((role) => allowed.includes(role)))
  })

  it("to a role that it does not know is to read", () => {
    assert.deepStrictEqual(rights.flatMap(([right]) => may("sponsor", right) ? [right] : []), ["read"])
    assert.isFalse(may("toString", "administer"))
  })

  it("of roles to give is what the API takes", () => {
    for (const own of roles) {
      for (const other of roles) {
        const isTaken = administration.includes(own) && mayManage(own, other)
        assert.strictEqual(mayGive(own, other), isTaken, `${own} gives ${other}`)
      }
    }
    assert.isFalse(mayGive("sponsor", "viewer"))
    assert.isTrue(mayGive("owner", "sponsor"))
  })
})
