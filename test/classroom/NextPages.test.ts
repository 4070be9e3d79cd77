import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { readFileSync } from "node:fs"
import { nextPage } from "../../src/identity/tokens/NextPage.ts"

// The list of views is browser code, so it is read as a text.
const source = readFileSync(new URL("../../src/classroom/app/Views.ts", import.meta.url), "utf8")
const views = [...source.matchAll(/path: "([^"]+)"/g)].map(([, path = ""]) => path)

const uuid = "5ca1ab1e-0000-4000-8000-000000000001"
const isNext = (path: string) => Option.isSome(nextPage("student", path))

/** The addresses of a view with ids of both kinds. */
const addressesOf = (view: string) => [uuid, "violao-facil"].map((id) => view.replaceAll(/:\w+/g, id))

const parts = [...new Set([uuid, "violao-facil", ...views.flatMap((view) => view.split("/"))])]
  .filter((part) => !part.startsWith(":"))

const further = (paths: ReadonlyArray<string>) => paths.flatMap((path) => parts.map((part) => `${path}/${part}`))

describe("After signing in a student may go on to", () => {
  it("some views", () => assert.isAbove(views.length, 15))

  it.each(views)("%s, as every view of the classroom", (view) => {
    assert.isTrue(addressesOf(view).some(isNext))
    assert.isTrue(addressesOf(view).some((address) => isNext(`${address}?t=90&q=d%C3%B3+maior#two`)))
  })

  it("no page of the classroom that is not a view", () => {
    const patterns = views.map((view) => new RegExp(`^${view.replaceAll(/:\w+/g, "[^/]+")}$`))
    const paths = [parts, further(parts), further(further(parts)), further(further(further(parts)))].flat()
    assert.deepStrictEqual(paths.filter((path) => isNext(path) && !patterns.some((one) => one.test(path))), [])
  })
})
