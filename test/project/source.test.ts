import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join, posix, resolve } from "node:path"
import { isContract, serverPackage } from "../../.ci/house.ts"
import { turma } from "../../src/cli/tree.ts"

// Rules about the source that the linter cannot check. Each rule is also shown a text that breaks it.

const root = resolve(import.meta.dirname, "../..")

type Files = ReadonlyMap<string, string>

/** Our own texts, by path from the project's root. This folder quotes forbidden code, so it is excluded. */
const read = (...patterns: ReadonlyArray<string>): Files =>
  new Map(globSync(patterns, { cwd: root, exclude: (path) => path.includes("node_modules") })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.startsWith("test/project/"))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]))

const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/(?<!:)\/\/.*$/gm, "").replaceAll(/(?<=^|\s)--.*$/gm, "")

const databaseClock =
  /(?<![.\w])(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(\s*\)|\b(?:current_timestamp|current_date|current_time|localtimestamp)\b|'(?:now|today)'/i

/** Functions that silently replace bytes that are not text. */
const lossyDecoding = new RegExp(
  [
    String.raw`new TextDecoder\((?![^()]*\bfatal: true\b)`,
    String.raw`\.toString\(\s*(?:"(?:utf-?8|ascii)"|\))`,
    String.raw`\breadFile(?:Sync)?\([^;\n]*"utf-?8"`,
    String.raw`\breadFileString\b`,
    String.raw`\bdecodeText\b`,
    String.raw`\bsetEncoding\(`,
    String.raw`\bStringDecoder\b`,
    String.raw`\bdecode(?:Base64|Base64Url|Hex)String\b`,
    String.raw`\.text\(\)`,
    String.raw`\b(?:request|response|web)\.text\b`,
    String.raw`\bString\((?:buffer|bytes|body|chunk)s?\)`
  ].join("|"),
  "i"
)

const suppression = /(?:eslint|oxlint)-disable|@ts-(?:ignore|nocheck)|@effect-diagnostics|dprint-ignore/

const openTask = /\b(?:TODO|FIXME|XXX)\b/

const heldBack = /\b(?:it|test|describe|layer)(?:\.\w+)*\.(?:only|skip|todo)\b/

/** A fault that `catchReason` does not catch must stay whole. As a bare reason, an outage would answer 500, not 503. */
const bareReason =
  /catchReasons?\((?:[^()]|\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\))*,\s*Effect\.die\s*\)|Effect\.die\(reason\)/

const matching = (files: Files, pattern: RegExp, prepared = (text: string) => text) =>
  [...files].filter(([, text]) => pattern.test(prepared(text))).map(([path]) => path)

describe("time in SQL", () => {
  // One file reads the database's time, to compare the two.
  it("comes from the application's clock", () => {
    assert.deepStrictEqual(matching(read("src/**/*.ts", "migrations/*.sql"), databaseClock, withoutComments), [
      "src/platform/sql/DatabaseTime.ts"
    ])
  })

  it.each([
    "create table a (at timestamptz not null default now())",
    "sql`select 1 where at < NOW ()`",
    "sql`insert into a values (current_timestamp)`",
    "sql`select clock_timestamp() -- and why`",
    "select 'now'::timestamptz"
  ])("would be found: %s", (text) => {
    assert.match(withoutComments(text), databaseClock)
  })

  it.each(["yield* DateTime.now", "performance.now()", "/** Never `now()`. */", "-- no now() here", "yield* know()"])(
    "is not mistaken for: %s",
    (text) => {
      assert.notMatch(withoutComments(text), databaseClock)
    }
  )
})

describe("text of bytes", () => {
  // `JsonBodies` makes `text` of the API's own requests strict before `RequestErrors` reads it again. The other file is
  // an example for other people's programs.
  it("is decoded so that nothing is read in place of a byte that is none", () => {
    assert.sameMembers(matching(read("src/**/*.{ts,tsx}"), lossyDecoding, withoutComments), [
      "src/operations/documentation/Examples.ts",
      "src/platform/http/RequestErrors.ts"
    ])
  })

  it.each([
    "new TextDecoder().decode(bytes)",
    "new TextDecoder(\"utf-8\")",
    "new TextDecoder(\"utf-8\", { ignoreBOM: true })",
    "bytes.toString(\"utf8\", 0, end)",
    "Buffer.from(plain).toString()",
    "bytes.toString(\"ascii\")",
    "readFileSync(path, \"utf8\")",
    "await readFile(join(folder, name), \"utf-8\")",
    "fs.readFileString(file)",
    "Stream.decodeText,",
    "Stream.decodeText(stdin)",
    "socket.setEncoding(\"utf8\")",
    "new StringDecoder(\"utf8\")",
    "Encoding.decodeBase64UrlString(token)",
    "await response.text()",
    "Effect.flatMap(request.text, checked)",
    "String(bytes)"
  ])("would be found: %s", (text) => {
    assert.match(withoutComments(text), lossyDecoding)
  })

  it.each([
    "new TextDecoder(encoding, { fatal: true })",
    "new TextDecoder(\"utf-8\", { fatal: true, ignoreBOM: true })",
    "bytes.toString(\"hex\")",
    "Buffer.from(bytes).toString(\"latin1\")",
    "String(count)",
    "part.text"
  ])("is not mistaken for: %s", (text) => {
    assert.notMatch(withoutComments(text), lossyDecoding)
  })
})

describe("a command that people are told to run", () => {
  const names = turma.subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
  const called = String.raw`turma\s+(?:(?:${names.join("|")})\b|--[a-z])`
  const inMessage = new RegExp(String.raw`(?<!\bnpx )\b${called}`)
  // Only in code: other programs take the same word, such as `create role turma login`.
  const inGuide = new RegExp(String.raw`(?<=^|[\`|;&(]\s?)${called}`, "m")

  /** True if a file declares commands. Help names them as its line of usage does. */
  const isHelp = (text: string) => /import \{[^}]*\b(?:Command|Flag|GlobalFlag)\b[^}]*\} from "effect\/cli"/.test(text)

  it("is called by npx in guides, but where the program was installed", () => {
    const guides = read("src/guides/*.md", "README.md", "packages/*/README.md")
    assert.isAbove(names.length, 15)
    assert.deepStrictEqual(matching(guides, inGuide), ["src/guides/deployment.md"])
  })

  // In two files, the words are the name of a connection and of an endpoint.
  it("is called by npx in messages", () => {
    const messages = new Map([...read("src/**/*.{ts,tsx}")].filter(([, text]) => !isHelp(text)))
    assert.sameMembers(matching(messages, inMessage, withoutComments), [
      "src/cli/webhooks/forward/forward.ts",
      "src/operations/backup/DatabaseDump.ts"
    ])
  })

  it.each([
    "`turma doctor` says it",
    "turma keys rotate",
    "echo | turma import a.csv",
    "`turma\ndoctor`",
    "`turma --help`"
  ])(
    "would be found in a guide: %s",
    (text) => {
      assert.match(text, inGuide)
    }
  )

  it.each(["`npx turma doctor`", "create role turma login", "`docker exec NAME turma doctor`", "`turma` is a program"])(
    "is not mistaken for: %s",
    (text) => {
      assert.notMatch(text, inGuide)
    }
  )

  it("would be found in a message", () => {
    assert.match("see turma doctor", inMessage)
    assert.notMatch("see npx turma doctor", inMessage)
  })
})

describe("faults of the database", () => {
  it("die whole, by `faultsDie`", () => {
    assert.deepStrictEqual(matching(read("src/**/*.ts"), bareReason), [])
    assert.match(
      "Effect.catchReason(\"SqlError\", \"UniqueViolation\", () => Effect.fail(new A()), Effect.die)",
      bareReason
    )
    assert.match("Effect.die(reason)", bareReason)
  })
})

describe("the source", () => {
  const all = read("src/**/*.ts", "test/**/*.ts", ".ci/*.ts", "migrations/*.sql")

  it("silences no check", () => {
    assert.deepStrictEqual(matching(all, suppression), [])
    assert.match("// eslint-disable-next-line no-console", suppression)
    assert.match("/* oxlint-disable */", suppression)
    assert.match("// @ts-ignore", suppression)
    assert.match("// @effect-diagnostics floatingEffect:off", suppression)
  })

  it("leaves no open task behind", () => {
    assert.deepStrictEqual(matching(all, openTask), [])
    assert.match("-- TODO: an index", openTask)
  })

  it("holds no test back", () => {
    assert.deepStrictEqual(matching(all, heldBack), [])
    assert.match("it.effect.only(", heldBack)
    assert.match("describe.skip(", heldBack)
  })
})

/** The imports of a file at run time, without `import type`. */
const runtimeImports = (text: string) =>
  [...withoutComments(text).matchAll(/(?:^|;)\s*(?:import|export)\b(?!\s+type\b)[^"';]*?["']([^"']+)["']/gm)]
    .flatMap(([, specifier]) => specifier === undefined ? [] : [specifier])

/** Server packages that a file reaches through its imports, each with the way to it. */
const serverCodeBehind = (files: Files, start: string): ReadonlyArray<string> => {
  const ways = new Map([[start, start]])
  const found: Array<string> = []
  for (const [path, way] of ways) {
    for (const specifier of runtimeImports(files.get(path) ?? "")) {
      const target = specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier
      if (serverPackage.test(target)) found.push(`${way} > ${target}`)
      else if (files.has(target) && !ways.has(target)) ways.set(target, `${way} > ${target}`)
    }
  }
  return found
}

describe("a contract", () => {
  it("reaches no server code through the files it imports", () => {
    const files = read("src/**/*.ts")
    const starts = [...files.keys()].filter((path) => isContract(path.slice("src/".length)))
    assert.includeMembers(starts, ["src/Api.ts", "src/Client.ts"])
    assert.deepStrictEqual(starts.flatMap((start) => serverCodeBehind(files, start)), [])
  })

  it("would be caught with server code two files away", () => {
    const files = new Map([
      ["src/Api.ts", `import { A } from "./auth/A.ts"`],
      ["src/auth/A.ts", `import type { Row } from "effect/sql"\nexport {\n  b\n} from "./B.ts"`],
      ["src/auth/B.ts", `import { SqlClient } from "effect/sql"`]
    ])
    assert.deepStrictEqual(serverCodeBehind(files, "src/Api.ts"), [
      "src/Api.ts > src/auth/A.ts > src/auth/B.ts > effect/sql"
    ])
  })
})

describe("numbers of advisory locks", () => {
  it("are each of one lock, so that nobody waits for what has nothing to do with them", () => {
    const numbers = [...read("src/**/*.ts").values()].flatMap((text) =>
      [...text.matchAll(/^const \w+Lock = ([\d_]+)$/gm)].map(([, number]) => number)
    )
    assert.isAbove(numbers.length, 3)
    assert.deepStrictEqual(numbers, [...new Set(numbers)])
  })
})
