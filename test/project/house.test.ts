import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, join, posix, resolve } from "node:path"
import { rooms, sdkFolder, storeys } from "../../.ci/house.ts"

// The floor plan: the folders that exist, and no circle of imports between them. It also checks the first letter of
// names.

const root = resolve(import.meta.dirname, "../..")

type Files = ReadonlyMap<string, string>

/** Every source by its path under `src`. */
const sources: Files = new Map(globSync("**/*.{ts,tsx}", { cwd: join(root, "src") }).map((
  path
) => [path, readFileSync(join(root, "src", path), "utf8")]))

interface Import {
  readonly from: string
  readonly to: string
  /** The imported names: `{ ClubId }`. Empty if the whole file is imported. */
  readonly names: string
}

const statement =
  /^(?:import|export)\s(?:type\s)?([^"';]*?)\s*from\s*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"\s*\)|new URL\(\s*"(\.[^"]+\.ts)"/gm

const withoutBlockComments = (text: string) => text.replaceAll(/\/\*[^]*?\*\//g, "")

/** Every import of one file of `src` by another, types included. */
const importsOf = (files: Files): ReadonlyArray<Import> =>
  [...files].flatMap(([from, text]) =>
    [...withoutBlockComments(text).matchAll(statement)].flatMap(([, names = "", ...targets]) => {
      const target = targets.find((path) => path !== undefined)
      return target === undefined ? [] : [{
        from,
        to: posix.join(dirname(from), target),
        names: names.replaceAll(/\s+/g, " ").trim()
      }]
    })
  )

/** The folder of a file, cut to this depth. Files at the top of `src` stand for themselves. */
const folderAt = (depth: number) => (file: string) =>
  file.includes("/") ? dirname(file).split("/").slice(0, depth).join("/") : file

type Graph = ReadonlyMap<string, ReadonlyMap<string, Import>>

const graphOf = (imports: ReadonlyArray<Import>, nodeOf: (file: string) => string): Graph => {
  const graph = new Map<string, Map<string, Import>>()
  for (const found of imports) {
    const [from, to] = [nodeOf(found.from), nodeOf(found.to)]
    if (from === to) continue
    const ways = graph.get(from) ?? new Map<string, Import>()
    graph.set(from, ways.has(to) ? ways : ways.set(to, found))
  }
  return graph
}

/** The shortest way back to the start, if there is one. */
const circleFrom = (graph: Graph, start: string): ReadonlyArray<Import> | undefined => {
  const ways = new Map<string, ReadonlyArray<Import>>([[start, []]])
  for (const [node, way] of ways) {
    for (const [next, found] of graph.get(node) ?? []) {
      if (next === start) return [...way, found]
      if (!ways.has(next)) ways.set(next, [...way, found])
    }
  }
  return undefined
}

/** A circle of folders in words. Each step has the importing file and the imported names. */
const describeCircle = (nodeOf: (file: string) => string, circle: ReadonlyArray<Import>) =>
  [
    circle.map(({ from }) => nodeOf(from)).join(" -> "),
    ...circle.map(({ from, names, to }) => `  ${from} takes ${names} from ${to}`)
  ].join("\n")

/** The shortest circle of folders at each depth that has one, and the shortest circle of files. */
const circlesOf = (files: Files): ReadonlyArray<string> => {
  const imports = importsOf(files)
  const deepest = Math.max(0, ...[...files.keys()].map((file) => file.split("/").length - 1))
  const views = [...Array.from({ length: deepest }, (_, depth) => folderAt(depth + 1)), (file: string) => file]
  return views.flatMap((nodeOf) => {
    const graph = graphOf(imports, nodeOf)
    const [shortest] = [...graph.keys()].flatMap((node) => [circleFrom(graph, node) ?? []])
      .filter((circle) => circle.length > 0)
      .toSorted((one, other) => one.length - other.length)
    return shortest === undefined ? [] : [describeCircle(nodeOf, shortest)]
  })
}

/** Files in a room of `webhooks` that start work in the background, and that have no service. */
const strayWorkers = (files: Files): ReadonlyArray<string> =>
  [...files].flatMap(([path, text]) =>
    /^webhooks\/\w+\//.test(path) && text.includes("Layer.effectDiscard(") && !text.includes("extends Context.Service<")
      ? [path]
      : []
  )

const exported = /^export const (\w+)(?:: [^=\n]+)? =\s+(\S[^\n]*)/gm

/** The beginnings of object schemas and of layers: the function that makes them, or another layer. */
const madeWithCapital = new RegExp([
  "^Schema\\.(?:Struct|Union)\\b",
  "^Layer\\.(?!build|launch)",
  "^HttpApiBuilder\\.group",
  "^HttpApiMiddleware\\.layer",
  "^HttpRouter\\.(?:use|middleware)",
  "^[\\w.]*[lL]ayer(?:NoDeps)?(?:\\.pipe)?\\("
].join("|"))

/** The beginnings of functions, effects and plain values. */
const plain = /^(?:<|\(|async\b|function\b|Effect\.|Duration\.|new |-?\d|["'`/]|true\b|false\b)/

/** Components of the console are functions, and JSX recognizes them by their capital. */
const isComponent = (path: string) => path.endsWith(".tsx")

/** Functions that take the place of a schema or a class. Their names begin with a capital like those. */
const makers = new Set(["ApiError", "Data", "Name", "Order", "Page", "StripeList", "WholeList"])

const exportedClass = /^export (?:default )?(?:abstract )?class ([a-z]\w*)/gm
const exportedFunction = /^export (?:default )?(?:async )?function\*? ?([A-Z]\w*)/gm

/** Exported names that begin with the wrong kind of letter, each with its file. */
const misspelled = (files: Files): ReadonlyArray<string> =>
  [...files].flatMap(([path, text]) => {
    const constants = [...text.matchAll(exported)].flatMap(([, name = "", value = ""]) => {
      const isCapital = /^[A-Z]/.test(name)
      const isWrong = isCapital
        ? plain.test(value) && !makers.has(name) && !isComponent(path)
        : madeWithCapital.test(value)
      return isWrong ? [name] : []
    })
    const functions = isComponent(path) ? [] : [...text.matchAll(exportedFunction)]
    const others = [...text.matchAll(exportedClass), ...functions].map(([, name = ""]) => name)
    return [...constants, ...others].map((name) => `${path}: ${name}`)
  })

describe("the house", () => {
  it("has the storeys that the linter knows, and five files above them", () => {
    const entries = [...new Set(globSync("**/*.*", { cwd: join(root, "src") }).map((path) => path.split("/")[0] ?? ""))]
    assert.deepStrictEqual(entries.filter((entry) => entry.endsWith(".ts")).toSorted(), [
      "Api.ts",
      "App.ts",
      "Client.ts",
      "Contract.ts",
      "main.ts"
    ])
    assert.deepStrictEqual(
      entries.filter((entry) => !entry.endsWith(".ts")).toSorted(),
      [...storeys, "guides", sdkFolder].toSorted()
    )
    assert.isAtMost(storeys.length + 1, 16)
  })

  it("has the rooms of webhooks that the linter knows", () => {
    const folders = [...sources.keys()].flatMap((path) => /^webhooks\/(\w+)\//.exec(path)?.[1] ?? [])
    assert.deepStrictEqual([...new Set(folders)].toSorted(), rooms.toSorted())
  })

  it("keeps each worker layer of webhooks in the file of its service", () => {
    assert.deepStrictEqual(strayWorkers(sources), [])
  })

  it("would be caught with a worker layer in a file of its own", () => {
    const path = "webhooks/history/recovery/workerLayer.ts"
    assert.deepStrictEqual(
      strayWorkers(new Map([[path, "export const workerLayer = Layer.effectDiscard(Effect.flatMap(Work, run))"]])),
      [path]
    )
  })

  it("is composed by a list", () => {
    const text = sources.get("App.ts") ?? ""
    assert.isBelow(text.split("\n").length, 100)
    const listed = [...text.matchAll(/from "\.\/(.+)\/Feature\.ts"/g)].map(([, folder]) => `${folder}/Feature.ts`)
    assert.deepStrictEqual(
      listed.toSorted(),
      [...sources.keys()].filter((path) => path.endsWith("/Feature.ts")).toSorted()
    )
  })

  it("lists the features in storey order", () => {
    const text = sources.get("App.ts") ?? ""
    const storeyOf = new Map([...text.matchAll(/import \{ (\w+) \} from "\.\/(\w+)\/(?:.+\/)?Feature\.ts"/g)]
      .map(([, name = "", storey = ""]) => [name, storeys.indexOf(storey)]))
    const order = [...text.matchAll(/^ {2}\.add\((\w+)\)$/gm)].map(([, name = ""]) => storeyOf.get(name))
    assert.isAbove(order.length, 20)
    assert.deepStrictEqual(order, order.toSorted((one = -1, other = -1) => one - other))
  })

  it("has no circle of folders at any depth, nor of files", () => {
    assert.deepStrictEqual(circlesOf(sources), [])
  })

  it("would be caught with two features that take from each other", () => {
    const planted = new Map([
      ["learning/content/A.ts", `import { b } from "../media/B.ts"`],
      ["learning/media/C.ts", `import {\n  type D,\n  E\n} from "../content/D.ts"`]
    ])
    assert.deepStrictEqual(circlesOf(planted), [[
      "learning/content -> learning/media",
      "  learning/content/A.ts takes { b } from learning/media/B.ts",
      "  learning/media/C.ts takes { type D, E } from learning/content/D.ts"
    ].join("\n")])
  })

  it.each([
    ["of storeys", {
      "events/A.ts": `import type { B } from "../identity/B.ts"`,
      "identity/C.ts": `export * from "../events/A.ts"`
    }],
    ["of a folder and its part", {
      "webhooks/A.ts": `import { b } from "./engine/B.ts"`,
      "webhooks/engine/C.ts": `import { d } from "../D.ts"`
    }],
    ["of three", {
      "a/b/A.ts": `import { c } from "../c/C.ts"`,
      "a/c/D.ts": `import { e } from "../d/E.ts"`,
      "a/d/F.ts": `export { g } from "../b/G.ts"`
    }],
    ["by a late import", {
      "a/b/A.ts": `const late = import("../c/C.ts")`,
      "a/c/D.ts": `import { e } from "../b/E.ts"`
    }],
    ["of files", { "a/A.ts": `import { b } from "./B.ts"`, "a/B.ts": `import type { A } from "./A.ts"` }]
  ])("would be caught with a circle %s", (_, planted) => {
    assert.isNotEmpty(circlesOf(new Map(Object.entries(planted))))
  })

  it.each([
    ["imports that go down", { "b/A.ts": `import { a } from "../a/A.ts"`, "c/A.ts": `import { a } from "../a/A.ts"` }],
    ["parts that take from the whole", {
      "a/b/A.ts": `import { a } from "../A.ts"`,
      "a/c/A.ts": `import { a } from "../b/A.ts"`
    }],
    ["what a comment says", {
      "a/A.ts": `import { b } from "../b/B.ts"`,
      "b/C.ts": `/** import { a } from "../a/A.ts" */`
    }]
  ])("is not mistaken: %s", (_, planted) => {
    assert.deepStrictEqual(circlesOf(new Map(Object.entries(planted))), [])
  })
})

describe("What is exported", () => {
  it("begins with a capital if it is a schema, a layer or a class, and else with a small letter", () => {
    assert.deepStrictEqual(misspelled(sources), [])
  })

  it.each([
    ["a schema", "export const mail = Schema.Struct({})", "mail"],
    ["a layer", "export const mailLayer = Layer.effect(Mail, make)", "mailLayer"],
    ["a layer on its own line", "export const mailLayer: Layer.Layer<Mail> =\n  Layer.unwrap(make)", "mailLayer"],
    ["a layer of a layer", "export const worker = MailWorkerLayer.pipe(Layer.provide(Mail.layer))", "worker"],
    ["handlers", `export const mailHttp = HttpApiBuilder.group(api, "mail", make)`, "mailHttp"],
    ["a class", `export class mail extends Context.Service<Mail>()("turma/Mail") {}`, "mail"],
    ["a function", "export const SendMail = (mail: Mail) => mail", "SendMail"],
    ["a function of any type", "export const SendMail = <A>(mail: A) => mail", "SendMail"],
    ["a function by its word", "export function SendMail() {}", "SendMail"],
    ["an effect", "export const SendMails = Effect.gen(function*() {})", "SendMails"],
    ["a function of an effect", `export const SendMail = Effect.fn("sendMail")(send)`, "SendMail"],
    ["a number", "export const Limit = 20", "Limit"],
    ["a duration", "export const Lease: Duration.Duration = Duration.minutes(2)", "Lease"],
    ["a text", `export const Greeting = "Hello"`, "Greeting"]
  ])("would be caught with the wrong letter: %s", (_, text, name) => {
    assert.deepStrictEqual(misspelled(new Map([["a/A.ts", text]])), [`a/A.ts: ${name}`])
  })

  it.each([
    "export const MailLayer = Layer.effect(Mail, make)",
    "export const mailLayer = (folder: string) => Layer.effect(Mail, make(folder))",
    "export const MailHttp = HttpApiBuilder.group(api, group, make)",
    "export const Mail = Schema.Struct({})",
    "export const MailQuery = { limit: Limit }",
    "export const CurrentMail = Context.Reference(name, { defaultValue })",
    "export class Mail {}",
    "export const sendMail = Effect.fn(name)(send)",
    "export const mail = { services: Mail.layer, routes: MailHttp }"
  ])("is not mistaken: %s", (text) => {
    assert.deepStrictEqual(misspelled(new Map([["a/A.ts", text]])), [])
  })

  it("may be a component in a file of JSX, and there alone", () => {
    const text = "export const Badge = () => <b />\nexport default function Table<A>(props: A) {}"
    assert.deepStrictEqual(misspelled(new Map([["a/A.tsx", text]])), [])
    assert.deepStrictEqual(misspelled(new Map([["a/A.ts", text]])), ["a/A.ts: Badge", "a/A.ts: Table"])
  })
})

describe("What the design card names", () => {
  it.each(["WebhookDispatcher", "SessionStore", "RateLimiter", "Billing"])("%s is a service with a layer", (name) => {
    const found = [...sources.values()].filter((text) => text.includes(`export class ${name} extends Context.Service<`))
    assert.lengthOf(found, 1)
    assert.match(found[0] ?? "", /static readonly layer\b/)
  })

  it("the breaker of a running lane is a Ref, which an end and a start change in one step each", () => {
    const runner = sources.get("webhooks/engine/dispatch/LaneRunner.ts") ?? ""
    assert.match(runner, /readonly breaker: Ref\.Ref<Breaker>/)
    assert.match(runner, /Ref\.modify\(breaker,/)
  })
})
