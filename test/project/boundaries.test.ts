import { assert, beforeAll, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { rooms, storeys } from "../../.ci/house.ts"
import { withFiles } from "../harness/Files.ts"

/** A file as the linter would find it, and the rule that must refuse it, with its message if the rule has several. */
interface Violation {
  readonly name: string
  readonly path: string
  readonly text: string
  readonly rule: string
  readonly advice?: string
  readonly others?: Record<string, string>
}

const rule = "house(imports)"
const ofContract = "A contract imports no server code."
const ofHandler = "A handler asks a service."
const ofFeature = "Ask the other feature's service."
const ofStorey = (above: string, below: string) => `Imports go down: ${above} is above ${below}.`

const importing = (name: string, path: string, from: string, advice: string): Violation => ({
  name,
  path,
  text: `export { thing } from "${from}"\n`,
  rule,
  advice
})

const upward = storeys.flatMap((below, place) =>
  storeys.slice(place + 1).map((above) =>
    importing(
      `${below} imports nothing of ${above}`,
      `src/${below}/part/Thing.ts`,
      `../../${above}/other/Other.ts`,
      ofStorey(above, below)
    )
  )
)

const ofRoom = (above: string, below: string) => `Imports go down: webhooks/${above} is above webhooks/${below}.`

const upwardRooms = rooms.flatMap((below, place) => [
  ...rooms.slice(place + 1).flatMap((above) => [
    importing(
      `the room ${below} imports nothing of ${above}`,
      `src/webhooks/${below}/Thing.ts`,
      `../${above}/other/Other.ts`,
      ofRoom(above, below)
    ),
    importing(
      `a part of the room ${below} imports nothing of ${above}`,
      `src/webhooks/${below}/part/Thing.ts`,
      `../../${above}/Other.ts`,
      ofRoom(above, below)
    )
  ]),
  importing(
    `the room ${below} imports nothing that stands on all rooms`,
    `src/webhooks/${below}/Thing.ts`,
    "../Feature.ts",
    ofRoom("Feature.ts", below)
  )
])

const composed = storeys.slice(0, -1).flatMap((storey) =>
  ["Api.ts", "App.ts", "Client.ts", "main.ts"].map((file) =>
    importing(
      `${storey} does not import ${file}`,
      `src/${storey}/part/Thing.ts`,
      `../../${file}`,
      ofStorey(file, storey)
    )
  )
)

const contracts = [
  "src/Api.ts",
  "src/Client.ts",
  ...["Api", "Authentication", "Identity", "RateLimit"].map((name) => `src/membership/clubs/${name}.ts`)
].flatMap((path) => {
  const up = path.split("/").length === 2 ? "./" : "../../"
  return [
    `${up}identity/sessions/OtherHttp.ts`,
    `${up}platform/sql/Database.ts`,
    `${up}platform/mail/Mailer.ts`,
    `${up}identity/sessions/SessionsRepo.ts`,
    "effect/sql",
    "@effect/platform-node/NodeCrypto",
    "node:fs"
  ].map((from) => importing(`the contract ${path} does not import ${from}`, path, from, ofContract))
})

const handlers = [
  "effect/sql",
  "effect/sql/SqlClient",
  "@effect/sql-pg",
  "../../platform/sql/Database.ts",
  "./StudentsRepo.ts"
].map((from) => importing(`a handler does not import ${from}`, "src/membership/students/Http.ts", from, ofHandler))

const ofSdk = "The SDK imports nothing but itself."

const sdk = [
  "effect",
  "effect/http",
  "node:crypto",
  "crypto",
  "openapi-typescript",
  "../../Api.ts",
  "../../platform/http/Page.ts",
  "../../webhooks/send/Signature.ts",
  "../../../test/harness/App.ts"
].map((from) => importing(`the SDK does not import ${from}`, "src/sdk/client/Turma.ts", from, ofSdk))

const ofPage = "A page in a browser imports itself, the SDK and what it shows with."

const page = [
  "effect",
  "node:crypto",
  "react",
  "preact-router",
  "../../server/ConsoleHttp.ts",
  "../../../browser/build/place.ts",
  "../../../Api.ts",
  "../../../platform/http/Page.ts",
  "../../../membership/clubs/Club.ts"
].map((from) => importing(`the console's page does not import ${from}`, "src/console/views/keys/Key.tsx", from, ofPage))

const reaching = [
  "Object.defineProperty(request, \"text\", { value: 1 })",
  "Object.defineProperties(request, {})",
  "Object.setPrototypeOf(request, null)",
  "Reflect.set(request, \"text\", 1)",
  "Object.assign(span, { end: () => {} })",
  "export const other = Object.create(fiber, {})",
  "Thing.prototype.read = 1",
  "Thing.prototype = request",
  "socket.read = () => null",
  "socket.read = function() {}",
  "export const all = context.mapUnsafe",
  "export const all = Context.makeUnsafe(services)",
  "fiber.setContext(context)",
  "export const inner = thing.__proto__",
  "export const inner = thing[\"~effect/Fiber\"]",
  "export const inner = thing[\"~effect/http/HttpServerRequest\"]"
].map((text) => ({
  name: `only patches have: ${text}`,
  path: "src/webhooks/send/Thing.ts",
  text: `${text}\n`,
  rule: "house(patches)",
  advice: "Only platform/patches/ reaches into packages."
}))

const clubs = "src/membership/clubs/Clubs.ts"

const violations: ReadonlyArray<Violation> = [
  ...upward,
  ...upwardRooms,
  ...composed,
  ...contracts,
  ...handlers,
  ...sdk,
  ...page,
  ...reaching,
  {
    name: "a statement is not broken inside of a value",
    path: "src/webhooks/send/Thing.ts",
    text: "export const all = sql`select ${\n  columns\n} from things`\n",
    rule: "house(statements)",
    advice: "Name this value before the statement, or begin a line with it."
  },
  importing(
    "the console's server does not run its page",
    "src/console/server/ConsoleHttp.ts",
    "../../browser/client/Api.ts",
    "A page runs in a browser alone."
  ),
  importing(
    "nobody else runs the console's page",
    "src/cli/serve.ts",
    "../console/views/keys/Key.tsx",
    "A page runs in a browser alone."
  ),
  importing(
    "what pages share does not import one of them",
    "src/browser/parts/Toasts.tsx",
    "../../console/club/Session.ts",
    "Pages share the browser's folder, and nothing else."
  ),
  importing(
    "the classroom does not import the console",
    "src/classroom/views/home/Home.tsx",
    "../../../console/club/Session.ts",
    "Pages share the browser's folder, and nothing else."
  ),
  {
    name: "no Date in the console's page but in one file",
    path: "src/console/views/keys/Key.tsx",
    text: "export const a = Date.now()\n",
    rule: "eslint(no-restricted-globals)"
  },
  importing("the SDK's entry imports nothing else", "src/sdk/index.ts", "../Client.ts", ofSdk),
  importing(
    "the service does without the SDK",
    "src/webhooks/history/A.ts",
    "../../sdk/index.ts",
    "The SDK is for others: the service does without it."
  ),
  {
    name: "no Date in the SDK but in one file",
    path: "src/sdk/client/A.ts",
    text: "export const a = Date.now()\n",
    rule: "eslint(no-restricted-globals)"
  },
  importing(
    "a file at the top of a storey does not look up",
    "src/events/Events.ts",
    "../App.ts",
    ofStorey("App.ts", "events")
  ),
  importing(
    "a deep folder does not look up",
    "src/events/a/b/C.ts",
    "../../../webhooks/d/E.ts",
    ofStorey("webhooks", "events")
  ),
  importing(
    "a contract in the platform stays a contract",
    "src/platform/http/Api.ts",
    "../sql/Database.ts",
    ofContract
  ),
  importing("a feature leaves another's repo alone", clubs, "../students/StudentsRepo.ts", ofFeature),
  importing("a feature leaves a lower storey's repo alone", clubs, "../../identity/sessions/ARepo.ts", ofFeature),
  importing("a feature leaves another's handlers alone", clubs, "../students/Http.ts", ofFeature),
  importing("a handler leaves another's repo alone", "src/membership/clubs/Http.ts", "../students/ARepo.ts", ofHandler),
  importing(
    "a part folder leaves another's repo alone",
    "src/webhooks/history/A.ts",
    "../../events/ARepo.ts",
    ofFeature
  ),
  {
    name: "types go no other way",
    path: clubs,
    text: `import type { A } from "../../learning/content/A.ts"\nexport type B = A\n`,
    rule,
    advice: ofStorey("learning", "membership")
  },
  {
    name: "a feature does not reach another's repo by a late import",
    path: clubs,
    text: `export const late = () => import("../students/StudentsRepo.ts")\n`,
    rule,
    advice: ofFeature
  },
  {
    name: "no import cycle",
    path: "src/membership/clubs/A.ts",
    text: `import { b } from "./B.ts"\nexport const a = (): number => b()\n`,
    rule: "import(no-cycle)",
    others: { "src/membership/clubs/B.ts": `import { a } from "./A.ts"\nexport const b = (): number => a()\n` }
  },
  {
    name: "no import cycle of types",
    path: "src/membership/clubs/A.ts",
    text: `import type { B } from "./B.ts"\nexport type A = B | null\n`,
    rule: "import(no-cycle)",
    others: { "src/membership/clubs/B.ts": `import type { A } from "./A.ts"\nexport type B = ReadonlyArray<A>\n` }
  },
  {
    name: "no explicit any",
    path: "src/membership/clubs/A.ts",
    text: "export const a = (b: any): number => b.c\n",
    rule: "typescript(no-explicit-any)"
  },
  {
    name: "no console",
    path: "src/membership/clubs/A.ts",
    text: `console.log("here")\n`,
    rule: "eslint(no-console)"
  },
  {
    name: "no new Date",
    path: "src/membership/clubs/A.ts",
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
    path: "src/membership/clubs/A.ts",
    text: "export const a = globalThis.Date.now()\n",
    rule: "eslint(no-restricted-properties)"
  },
  {
    name: "no Math.random",
    path: "src/membership/clubs/A.ts",
    text: "export const a = Math.random()\n",
    rule: "eslint(no-restricted-properties)"
  },
  {
    name: "no ts-ignore",
    path: "test/membership/clubs/A.test.ts",
    text: "// @ts-ignore\nexport const a = 1\n",
    rule: "typescript(ban-ts-comment)"
  },
  {
    name: "no open task in a comment",
    path: "src/membership/clubs/A.ts",
    text: "// Later: todo\nexport const a = 1\n",
    rule: "eslint(no-warning-comments)"
  }
]

/** Imports that the layers allow, in one tree. The linter must report nothing in it. */
const allowed: Record<string, string> = {
  "src/main.ts": `export { serve } from "./cli/serve.ts"\n`,
  "src/App.ts":
    `export { handlers } from "./membership/clubs/Http.ts"\nexport { repo } from "./membership/clubs/ClubsRepo.ts"\n`,
  "src/Api.ts": `export { api } from "./membership/clubs/Api.ts"\n`,
  "src/cli/serve.ts": `export { app } from "../App.ts"\nexport { api } from "../Api.ts"\n`,
  "src/platform/patches/Span.ts":
    `Object.defineProperty(request, "text", { value: 1 })\nObject.assign(span, { end: () => {} })\nsocket.read = () => null\n`,
  "src/webhooks/send/Own.ts":
    `export class Own {\n  read = 1\n  constructor() {\n    this.read = 2\n  }\n}\nexport const lost = Object.assign(new Error("Lost"), { code: 1 })\n` +
    "export const none = Object.create(null)\nObject.assign(whole, part)\nfound.text = text\nmade[name] = () => 1\n",
  "src/platform/http/ApiError.ts": `export { setting } from "../config/Setting.ts"\n`,
  "src/platform/sql/part/Part.ts": `export { setting } from "../../config/Setting.ts"\nexport { a } from "../A.ts"\n`,
  "src/membership/clubs/Api.ts":
    `export { Club } from "./Club.ts"\nexport { error } from "../../platform/http/ApiError.ts"\n`,
  "src/membership/clubs/Club.ts": "export const at = (value: Date): number => value.getTime()\n",
  "src/membership/clubs/Clubs.ts":
    `export { repo } from "./ClubsRepo.ts"\nexport { sessions } from "../../identity/sessions/SessionStore.ts"\n`,
  "src/membership/clubs/ClubsRepo.ts":
    `export { SqlClient } from "effect/sql"\nexport { db } from "../../platform/sql/Database.ts"\n`,
  "src/membership/clubs/Http.ts":
    `export { clubs } from "./Clubs.ts"\nexport { versioned } from "../../platform/http/Contract.ts"\n`,
  "src/sdk/index.ts": `export { now } from "./attempts/Clock.ts"\n`,
  "src/sdk/attempts/Clock.ts": "export const now = () => Date.now()\n",
  "src/webhooks/history/A.ts": `export { repo } from "../endpoint/EndpointsRepo.ts"\n`,
  "src/webhooks/history/part/B.ts":
    `export { one } from "../other/C.ts"\nexport { two } from "../../model/D.ts"\nexport { three } from "../A.ts"\n`,
  "src/webhooks/workbench/E.ts": rooms.slice(0, -1).map((room) => `export { ${room} } from "../${room}/Thing.ts"\n`)
    .join(""),
  "src/webhooks/Feature.ts": rooms.map((room) => `export { ${room} } from "./${room}/Thing.ts"\n`).join(""),
  "test/membership/clubs/Clubs.test.ts": "export const at = new Date(0)\n"
}

interface Diagnostic {
  readonly filename: string
  readonly code: string
  readonly message: string
}

const root = resolve(import.meta.dirname, "../..")

/** Lints these files, by path, in one run and with the project's own configuration. */
const lint = (files: Record<string, string>): Promise<ReadonlyArray<Diagnostic>> =>
  withFiles(files, async (cwd) => {
    // With findings the linter exits with 1, but still prints them.
    const output = await new Promise<string>((done) => {
      execFile(join(root, "node_modules/.bin/oxlint"), ["--format", "json", "."], { cwd }, (_, stdout) => done(stdout))
    })
    return JSON.parse(output).diagnostics
  })

const configuration = Object
  .fromEntries([".oxlintrc.json", ".ci/house.ts"].map((path) => [path, readFileSync(join(root, path), "utf8")]))

const tree = (name: string, files: Record<string, string>) =>
  Object.entries(files).map(([path, text]) => [`${name}/${path}`, text] as const)

describe("the linter", () => {
  let found: ReadonlyArray<Diagnostic> = []

  beforeAll(async () => {
    const trees = violations.map(({ path, text, others }, n) => tree(`violation-${n}`, { ...others, [path]: text }))
    found = await lint({ ...configuration, ...Object.fromEntries([...trees.flat(), ...tree("allowed", allowed)]) })
  })

  it.each(violations.map((violation, n) => ({ ...violation, n })))("enforces: $name", ({ n, path, rule, advice }) => {
    const here = found.filter(({ filename }) => filename === `violation-${n}/${path}`)
    assert.include(here.map(({ code }) => code), rule)
    if (advice !== undefined) assert.include(here.map(({ message }) => message), advice)
  })

  it("accepts what the layers allow", () => {
    assert.deepStrictEqual(found.filter(({ filename }) => filename.startsWith("allowed/")), [])
  })
})
