import { assert, it } from "@effect/vitest"
import { guide } from "./Guides.ts"
import { roleRows } from "./Roles.ts"

it("The guide to roles says of every route of a club which members it is for", () => {
  const [, table = ""] = guide("roles").split("|---|---|---|\n")
  assert.deepStrictEqual(table.trimEnd().split("\n"), [...roleRows()])
})
