import { assert, beforeAll, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { withFiles } from "../harness/Files.ts"

/** A file as the linter would find it, and the rule that must refuse it (with its advice where rules share a name). */
interface Violation {
  readonly name: string
  readonly path: string
  readonly text: string
  readonly rule: string
  readonly advice?: string
  readonly others?: Record<string, string>
}

const restricted = "eslint(no-restricted-imports)"
const ofPlatform = "Platform code knows no feature."
const ofContract = "A contract imports no server code."
const ofHandler = "A handler asks a service."
const ofFeature = "Ask the other feature's service."

const importing = (name: string, path: string, from: string, advice: string): Violation => ({
  name,
  path,
  text: `export { thing } from "${from}"\n`,
  rule: restricted,
  advice
})

const platform = ["config", "http", "sql", "redis", "mail", "storage", "workers"].map((folder) =>
  importing(`${folder}/ imports no feature`, `src/${folder}/Thing.ts`, "../students/Student.ts", ofPlatform)
)

const contracts = [
  "src/Api.ts",
  "src/Client.ts",
  ...["Api", "Authentication", "ClubRight", "Identity", "RateLimit"].map((name) => `src/clubs/${name}.ts`)
].flatMap((path) => {
  const folder = path.split("/").length === 2 ? "./" : "../"
  return [`${folder}auth/Http.ts`, `${folder}sql/Database.ts`, `${folder}auth/SessionsRepo.ts`, "effect/sql", "node:fs"]
    .map((from) => importing(`the contract ${path} does not import ${from}`, path, from, ofContract))
})

const handlers = ["effect/sql", "effect/sql/SqlClient", "@effect/sql-pg", "../sql/Database.ts", "./StudentsRepo.ts"]
  .map((from) => importing(`a handler does not import ${from}`, "src/students/Http.ts", from, ofHandler))

const violations: ReadonlyArray<Violation> = [
  ...platform,
  importing("platform code does not import the composition", "src/http/Thing.ts", "../App.ts", ofPlatform),
  importing("platform code in a part folder imports no feature", "src/mail/smtp/A.ts", "../../auth/A.ts", ofPlatform),
  importing("a contract in a platform folder imports no feature", "src/http/Api.ts", "../clubs/Club.ts", ofPlatform),
  importing("a contract in a platform folder stays a contract", "src/http/Api.ts", "../sql/Database.ts", ofContract),
  ...contracts,
  ...handlers,
  importing("a feature leaves another's repo alone", "src/clubs/Clubs.ts", "../auth/SessionsRepo.ts", ofFeature),
  importing("a handler leaves another feature's repo alone", "src/clubs/Http.ts", "../auth/SessionsRepo.ts", ofHandler),
  importing("a feature leaves another's handlers alone", "src/clubs/Clubs.ts", "../auth/Http.ts", ofFeature),
  importing(
    "a part folder leaves another's repo alone",
    "src/webhooks/delivery/A.ts",
    "../../auth/ARepo.ts",
    ofFeature
  ),
  {
    name: "a feature does not reach another's repo by a late import",
    path: "src/clubs/Clubs.ts",
    text: `export const late = () => import("../auth/SessionsRepo.ts")\n`,
    rule: restricted,
    advice: ofFeature
  },
  {
    name: "no import cycle",
    path: "src/clubs/A.ts",
    text: `import { b } from "./B.ts"\nexport const a = (): number => b()\n`,
    rule: "import(no-cycle)",
    others: { "src/clubs/B.ts": `import { a } from "./A.ts"\nexport const b = (): number => a()\n` }
  },
  {
    name: "no explicit any",
    path: "src/clubs/A.ts",
    text: "export const a = (b: any): number => b.c\n",
    rule: "typescript(no-explicit-any)"
  },
  {
    name: "no console",
    path: "src/clubs/A.ts",
    text: `console.log("here")\n`,
    rule: "eslint(no-console)"
  },
  {
    name: "no new Date",
    path: "src/clubs/A.ts",
    text: "export const a = new Date()\n",
    rule: "eslint(no-restricted-globals)"
  },
  {
    name: "no Date.now",
    path: "src/A.ts",
    text: "export const a = Date.now()\n",
    rule: "eslint(no-restricted-globals)"
  },
  {
    name: "no Date by way of globalThis",
    path: "src/clubs/A.ts",
    text: "export const a = globalThis.Date.now()\n",
    rule: "eslint(no-restricted-properties)"
  },
  {
    name: "no Math.random",
    path: "src/clubs/A.ts",
    text: "export const a = Math.random()\n",
    rule: "eslint(no-restricted-properties)"
  },
  {
    name: "no ts-ignore",
    path: "test/clubs/A.test.ts",
    text: "// @ts-ignore\nexport const a = 1\n",
    rule: "typescript(ban-ts-comment)"
  },
  {
    name: "no open task in a comment",
    path: "src/clubs/A.ts",
    text: "// Later: todo\nexport const a = 1\n",
    rule: "eslint(no-warning-comments)"
  }
]

/** What the layers allow, in one tree: nothing in it may be reported. */
const allowed: Record<string, string> = {
  "src/App.ts": `export { handlers } from "./clubs/Http.ts"\nexport { repo } from "./clubs/ClubsRepo.ts"\n`,
  "src/Api.ts": `export { api } from "./clubs/Api.ts"\n`,
  "src/http/ApiError.ts": `export { setting } from "../config/Setting.ts"\n`,
  "src/sql/part/Part.ts": `export { setting } from "../../config/Setting.ts"\nexport { a } from "../A.ts"\n`,
  "src/clubs/Api.ts": `export { Club } from "./Club.ts"\nexport { error } from "../http/ApiError.ts"\n`,
  "src/clubs/Club.ts": "export const at = (value: Date): number => value.getTime()\n",
  "src/clubs/Clubs.ts": `export { repo } from "./ClubsRepo.ts"\nexport { students } from "../students/Students.ts"\n`,
  "src/clubs/ClubsRepo.ts": `export { SqlClient } from "effect/sql"\nexport { db } from "../sql/Database.ts"\n`,
  "src/clubs/Http.ts": `export { clubs } from "./Clubs.ts"\nexport { Api } from "../Api.ts"\n`,
  "src/webhooks/delivery/A.ts": `export { repo } from "../EndpointsRepo.ts"\n`,
  "test/clubs/Clubs.test.ts": "export const at = new Date(0)\n"
}

interface Diagnostic {
  readonly filename: string
  readonly code: string
  readonly help?: string
}

const root = resolve(import.meta.dirname, "../..")

/** Lints these files, by path, in one run. Every tree among them has the project's own configuration at its top. */
const lint = (files: Record<string, string>): Promise<ReadonlyArray<Diagnostic>> =>
  withFiles(files, async (cwd) => {
    // Findings make the linter exit with 1 and are still printed.
    const output = await new Promise<string>((done) => {
      execFile(join(root, "node_modules/.bin/oxlint"), ["--format", "json", "."], { cwd }, (_, stdout) => done(stdout))
    })
    return JSON.parse(output).diagnostics
  })

const configuration = readFileSync(join(root, ".oxlintrc.json"), "utf8")

const tree = (name: string, files: Record<string, string>) =>
  Object.entries({ ...files, ".oxlintrc.json": configuration }).map(([path, text]) =>
    [`${name}/${path}`, text] as const
  )

describe("the linter", () => {
  let found: ReadonlyArray<Diagnostic> = []

  beforeAll(async () => {
    const trees = violations.map(({ path, text, others }, n) => tree(`violation-${n}`, { ...others, [path]: text }))
    found = await lint(Object.fromEntries([...trees.flat(), ...tree("allowed", allowed)]))
  })

  it.each(violations.map((violation, n) => ({ ...violation, n })))("enforces: $name", ({ n, path, rule, advice }) => {
    const here = found.filter(({ filename }) => filename === `violation-${n}/${path}`)
    assert.include(here.map(({ code }) => code), rule)
    if (advice !== undefined) assert.include(here.map(({ help }) => help), advice)
  })

  it("accepts what the layers allow", () => {
    assert.deepStrictEqual(found.filter(({ filename }) => filename.startsWith("allowed/")), [])
  })
})
