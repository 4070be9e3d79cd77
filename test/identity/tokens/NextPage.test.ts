import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Option, Schema } from "effect"
import { OrganizationId } from "../../../src/identity/ids/ClubId.ts"
import { landing, nextPage } from "../../../src/identity/tokens/NextPage.ts"

const uuid = "5ca1ab1e-0000-4000-8000-000000000001"

const club = { kind: "student", organization_id: OrganizationId.make(uuid) } as const

const Asked = Arbitrary.schema(Schema.Array(Schema.Union([
  Schema.Literals([
    "..",
    ".",
    "/",
    "\\",
    "//",
    "courses/",
    "lessons/",
    "support/",
    "a",
    "%2f",
    "?",
    "#",
    ":",
    "=",
    uuid
  ]),
  Schema.String
])))

const pages = [
  ["student", "courses/violao-facil"],
  ["student", "lessons/A_b-9"],
  ["student", `lessons/${"a".repeat(32)}`],
  ["student", "community"],
  ["student", `community/posts/${uuid}`],
  ["student", `community/spaces/${uuid}`],
  ["student", "support"],
  ["student", `support/${uuid}`],
  ["student", "notifications"],
  ["student", "lives"],
  ["student", "lessons/a/ask"],
  ["student", "support/new"],
  ["student", `community/spaces/${uuid}/write`],
  ["student", "lessons/a?media=b&page=3&t=90"],
  ["student", "search?q=d%C3%B3+maior"],
  ["student", "courses/a#two"],
  ["student", "courses/a?x=%2F%2Fevil.example#y"],
  ["admin", uuid],
  ["admin", `${uuid}/support/${uuid}`],
  ["admin", `${uuid}/content/courses/${uuid}`]
] as const

const others = [
  "",
  " ",
  "/",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https://evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "%2f%2fevil.example",
  "/courses/a",
  "./courses/a",
  "../console",
  "courses/..",
  "courses/../../console",
  "courses/%2e%2e",
  "courses/a/b",
  "courses/a?next=//evil.example",
  "courses/a?",
  "courses/a#",
  "courses/a#x#y",
  "courses/a?x=\\evil.example",
  "courses/a?x=https://evil.example",
  "courses/a#//evil.example",
  "courses/a#\\evil.example",
  "courses/a?x=%",
  "courses/a?x=%0",
  "courses/a?x= y",
  "courses/a?x=\"><script>",
  "courses/a?x=1\r\nset-cookie: y=1",
  "courses/a?x=1\n",
  `courses/a?x=${"a".repeat(200)}`,
  "?x=1",
  "#x",
  "enter?code=1",
  "sign-out?x=1",
  "lessons/a/ask/more",
  "lessons/a%2f..?x=1",
  `lives/${uuid}`,
  "courses/a\n",
  "courses/a\r\nset-cookie: x=1",
  "courses/a ",
  "courses/ä",
  "courses/",
  `courses/${"a".repeat(33)}`,
  "enter",
  "sign-out",
  "support/1",
  `support/${uuid.toUpperCase()}`,
  `${uuid}/support/${uuid}/more`,
  "nowhere"
]

describe("The page to go on to", () => {
  it.each(pages)("of a %s is one of the list: %s", (kind, path) => {
    assert.isTrue(Option.exists(nextPage(kind, path), (next) => String(next) === path))
    assert.isTrue(Option.isNone(nextPage(kind === "admin" ? "student" : "admin", path)))
  })

  it.each(others)("is not %j", (text) => {
    assert.isTrue(Option.isNone(nextPage("student", text)))
    assert.isTrue(Option.isNone(nextPage("admin", text)))
  })

  it.prop("is below the classroom of the club, or the console, whatever was asked for", [Asked], ([asked]) => {
    for (const scope of [club, { kind: "admin" }] as const) {
      const home = landing(scope, Option.none())
      const next = nextPage(scope.kind, asked.join(""))
      const url = new URL(landing(scope, next), "https://turma.example")
      assert.strictEqual(url.origin, "https://turma.example")
      assert.isTrue(url.pathname === home || url.pathname.startsWith(`${home}/`))
      assert.strictEqual(url.pathname + url.search + url.hash, landing(scope, next))
      if (scope.kind === "admin") assert.deepStrictEqual([url.search, url.hash], ["", ""])
    }
  })
})
