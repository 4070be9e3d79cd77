import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { project, readme } from "./Guides.ts"

/** Texts of Markdown files by path from the project's folder. */
type Pages = ReadonlyMap<string, string>

const pages: Pages =
  new Map(globSync("**/*.md", { cwd: project, exclude: (name) => /(?:^|\/)(?:node_modules|\.[^/]+)$/.test(name) })
    .map((path) => [path.replaceAll("\\", "/"), readFileSync(`${project}${path}`, "utf8")]))

const withoutBlocks = (text: string) => text.replaceAll(/^```.*?^```$/gms, "")
const withoutCode = (text: string) => withoutBlocks(text).replaceAll(/`[^`]*`/g, "")

/** The anchor of a heading: lower case, hyphens for spaces, and otherwise only letters and digits. */
const anchorOf = (heading: string) =>
  heading.toLowerCase().replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim()
    .replaceAll(" ", "-")

/** Equal headings get a number from the second one on. */
const anchorsOf = (text: string): ReadonlySet<string> => {
  const anchors = [...withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading))
  return new Set(anchors.map((anchor, index) => {
    const before = anchors.slice(0, index).filter((other) => other === anchor).length
    return before === 0 ? anchor : `${anchor}-${before}`
  }))
}

const linksOf = (text: string) =>
  [...withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?\)/g)].map(([, target = ""]) => target)

const isElsewhere = (target: string) => /^[a-z][a-z+.-]*:/i.test(target)

const isThere = (path: string) => existsSync(`${project}${path}`)

/** Relative links of these pages to a missing file or heading. */
const brokenLinks = (pages: Pages): ReadonlyArray<string> =>
  [...pages].flatMap(([path, text]) =>
    linksOf(text).filter((target) => {
      if (isElsewhere(target)) return false
      const [file = "", anchor] = target.split("#")
      const place = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), file))
      if (place.startsWith("../") || !(pages.has(place) || isThere(place))) return true
      return anchor !== undefined && !anchorsOf(pages.get(place) ?? "").has(anchor)
    }).map((target) => `${path}: ${target}`)
  )

/** Paths in these pages that do not exist, from the project's folder. */
const brokenPaths = (pages: Pages): ReadonlyArray<string> =>
  [...pages].flatMap(([path, text]) =>
    [...withoutBlocks(text).matchAll(/`((?:src|test|migrations|\.ci)(?:\/[\w.-]+)*\/?)`/g)]
      .flatMap(([, named = ""]) => isThere(named) ? [] : [`${path}: ${named}`])
  )

/** A project of two pages: an existing one, and a README with this text. */
const withReadme = (text: string): Pages =>
  new Map([["src/guides/operations.md", "# Operations\n\n## The clock\n"], ["README.md", text]])

describe("the README", () => {
  it("has at most 200 lines", () => {
    assert.isAtMost(readme.trimEnd().split("\n").length, 200)
  })

  it("leads to every guide and to every page of a storey or a feature", () => {
    const targets = new Set(linksOf(readme))
    const others = [...pages.keys()].filter((path) => path !== "README.md" && path.startsWith("src/"))
    assert.deepStrictEqual(others.filter((path) => !targets.has(path)), [])
  })
})

describe("the project's Markdown", () => {
  it("links only to files and headings that are there", () => {
    assert.includeMembers([...pages.keys()], ["README.md", "src/guides/tour.md", "test/bench/README.md"])
    assert.deepStrictEqual(brokenLinks(pages), [])
  })

  it("names only paths that are there", () => {
    assert.deepStrictEqual(brokenPaths(pages), [])
  })

  it.each([
    ["a file that is not there", "[a](src/guides/nowhere.md)", ["README.md: src/guides/nowhere.md"]],
    ["a heading that is not there", "[a](src/guides/operations.md#nothing)", [
      "README.md: src/guides/operations.md#nothing"
    ]],
    ["a heading of its own that is not there", "# Here\n\n[a](#there)", ["README.md: #there"]],
    ["a place outside of the project", "[a](../other/README.md)", ["README.md: ../other/README.md"]],
    ["a file that is not there, by a link over two lines", "[a\nb](nowhere.md)", ["README.md: nowhere.md"]]
  ])("would show a link to %s", (_, text, found) => {
    assert.deepStrictEqual(brokenLinks(withReadme(text)), found)
  })

  it.each([
    "[a](src/guides/operations.md#the-clock)",
    "# What's new, `here`?\n\n[a](#whats-new-here)",
    "# Twice\n\n# Twice\n\n[a](#twice-1)",
    "[a](https://example.com/nowhere.md)",
    "[a](src/guides)",
    "```sh\n[a](nowhere.md)\n```",
    "`[a](nowhere.md)`"
  ])("is not mistaken for a broken link: %s", (text) => {
    assert.deepStrictEqual(brokenLinks(withReadme(text)), [])
  })

  it("would show a path that is not there", () => {
    const text = "See `src/nowhere/Thing.ts`, `test/nowhere/` and `src/main.ts`; not `src` as a word, nor `GET /src/a`."
    assert.deepStrictEqual(brokenPaths(withReadme(text)), [
      "README.md: src/nowhere/Thing.ts",
      "README.md: test/nowhere/"
    ])
  })
})
