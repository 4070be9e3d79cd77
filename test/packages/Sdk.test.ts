import { assert, beforeAll, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { version } from "../../src/platform/version.ts"
import { AppLayer } from "../harness/App.ts"
import { run } from "../harness/Programs.ts"
import { check, pageOf, settings, writeReadme } from "./Checked.ts"
import { node22In, programOf, sharedProject, withoutRegistry } from "./Packed.ts"

// Takes long: it installs packages and runs two compilers.
// The SDK as its users have it: installed from its tarball into an empty project without other packages of ours.

const use = `
import { createTurma, type Turma, TurmaError, verifyWebhook } from "turma-sdk"

const turma: Turma = createTurma({ baseUrl: "http://127.0.0.1:3000", token: "a" })

export const version: Promise<string> = turma.health.live().then(({ data }) => data.version)

export const names = async (clubId: string) => {
  const found: Array<string> = []
  for await (const { name } of turma.students.list({ clubId, limit: 100 })) found.push(name)
  return found
}

export const verified = (body: string, headers: Headers) => verifyWebhook({ secret: "whsec_YQ==", body, headers })

export const codeOf = (error: unknown) => error instanceof TurmaError ? error.code : undefined

// @ts-expect-error: there is no such operation
export const nothing = () => turma.health.nothing()
`

/** Uses of the types that pass, and wrong ones that they refuse. */
const typed = `
import {
  type Answer, createTurma, type ErrorCode, type Params, type Schemas, TurmaError, type WebhookEventOf, verifyWebhook
} from "turma-sdk"

const clubId = "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10"
const turma = createTurma({ baseUrl: "https://turma.example", token: async () => "a", retries: 2 })

export const calls = async () => {
  const { data: student } = await turma.students.create({ clubId, body: { name: "Bia", email: "bia@example.com" } })
  const created: Schemas["Student"]["name"] = student.name
  const page = await turma.students.list({ clubId, limit: 10, search: undefined })
  const next: string | null = page.next_cursor
  for await (const { email } of turma.students.list({ clubId })) email.toLowerCase()
  for await (const { data } of turma.GET("/v1/clubs/{clubId}/students", { path: { clubId } }).pages()) data[0]?.name
  for await (const { points } of turma.gamification.statement({ clubId, studentId: "1" })) points.toFixed()
  for await (const event of turma.ask.stream({ clubId, messageId: "1" }, { lastEventId: "1" })) {
    if (event.event === "message.delta") event.data.text.trim()
    if (event.event === "message.completed") event.data.message.content.trim()
  }
  const live = await turma.health.live()
  const status: "ok" = (await turma.GET("/v1/health")).data.status
  const nothing: undefined = await turma.DELETE("/v1/clubs/{clubId}/students/{studentId}", { path: { clubId, studentId: "1" } })
  const csv: string = await turma.studentExport.csv({ clubId })
  await turma.enrollments.revoke({ clubId, enrollmentId: "1" })

  const { next_cursor: cursor } = await turma.students.list({ clubId, cursor: null })
  await turma.students.list({ clubId, cursor }, { headers: { "If-None-Match": undefined } })
  const body = { name: "Bia", email: "bia@example.com" }
  await turma.students.create({ clubId, body }, { idempotencyKey: "order-1042" })
  // @ts-expect-error: a change takes no key
  await turma.students.update({ clubId, studentId: "1", body }, { idempotencyKey: "order-1042" })
  // @ts-expect-error: a change takes no key, by its path neither
  await turma.PATCH("/v1/clubs/{clubId}/students/{studentId}", { path: { clubId, studentId: "1" }, body }, { idempotencyKey: "a" })

  // @ts-expect-error: there is no such operation
  await turma.students.nothing()
  // @ts-expect-error: the club is missing
  await turma.students.list({ limit: 10 })
  // @ts-expect-error: a list has no such parameter
  await turma.students.list({ clubId, colour: "red" })
  // @ts-expect-error: the address is missing
  await turma.students.create({ clubId, body: { name: "Bia" } })
  // @ts-expect-error: there is no such path
  await turma.GET("/v1/nothing")
  // @ts-expect-error: nothing is deleted there
  await turma.DELETE("/v1/me")
  // @ts-expect-error: one student is no list
  for await (const one of turma.students.get({ clubId, studentId: "1" })) one
  return { created, next, live, status, nothing, csv }
}

export const receive = async (request: { headers: Headers; text: () => Promise<string> }) => {
  const event = await verifyWebhook({ secret: ["a", "b"], headers: request.headers, body: await request.text() })
  switch (event.type) {
    case "student.created":
      return event.data.student.email
    case "purchase.paid":
      return event.data.student.id
    default:
      // @ts-expect-error: not every event is about access
      return event.data.enrollment.id
  }
}

export const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof TurmaError)) return undefined
  const known: ErrorCode = "student_exists"
  return error.code === known ? "there" : error.requestId
}

/** As a page has its token, and what it calls with. */
export const ofPage = createTurma({ baseUrl: "https://turma.example", token: () => null, fetch: globalThis.fetch })

export const params: Params<"students.get"> = { clubId, studentId: "1" }
export const read = async (): Promise<Answer<"students.get">> => turma.students.get(params)
export const nameOf = (event: WebhookEventOf<"student.created">) => event.data.student.name
`

const baseUrl = Effect.map(
  HttpServer.HttpServer,
  ({ address }) => `http://127.0.0.1:${address._tag === "UnixPathAddress" ? 0 : address.port}`
)

describe.skipIf(withoutRegistry)("turma-sdk in an empty project", () => {
  let folder = ""
  let shared = ""
  let readme: ReadonlyArray<string> = []

  beforeAll(async () => {
    shared = await sharedProject()
    folder = await mkdtemp(join(shared, "sdk-"))
    await writeFile(join(folder, "use.ts"), use)
    await writeFile(join(folder, "typed.ts"), typed)
    readme = await writeReadme(folder, "turma-sdk")
    const commonjs = join(folder, "commonjs")
    await mkdir(commonjs)
    await writeFile(join(commonjs, "package.json"), JSON.stringify({ type: "commonjs" }))
    const make = `console.log(typeof createTurma({ baseUrl: "http://localhost" }).GET)`
    await writeFile(join(commonjs, "use.ts"), `import { createTurma } from "turma-sdk"\n${make}\n`)
    await writeFile(join(commonjs, "use.js"), `const { createTurma } = require("turma-sdk")\n${make}\n`)
  })

  // Also in programs of CommonJS, as npm init makes them.
  it.each(settings)("is checked strictly for $name, its own declarations too", async (setting) => {
    const files = ["use.ts", "typed.ts", "commonjs/use.ts", ...setting.types.includes("node") ? readme : []]
    assert.deepStrictEqual(await check({ folder, shared }, setting, files), [])
  })

  it("has a README with four programs, which are checked for Node", () => {
    assert.lengthOf(readme, 4)
  })

  it("is required by programs that are no modules, as npm init makes them", async () => {
    const programs = [process.execPath, node22In(shared)]
    const said = await Promise.all(programs.map((node) => run(node, ["commonjs/use.js"], { cwd: folder })))
    assert.deepStrictEqual(said.map(({ stdout }) => stdout), ["function\n", "function\n"])
  })

  it("is a page of less than 15 kB, compressed, that imports nothing", async () => {
    const { compressed, imports, size } = await pageOf(
      folder,
      `import { createTurma, verifyWebhook } from "turma-sdk"
       console.log(createTurma({ baseUrl: "https://turma.example" }), verifyWebhook)`
    )
    process.stdout.write(`turma-sdk in a page: ${size} bytes, ${compressed} compressed\n`)
    assert.deepStrictEqual(imports, [])
    assert.isBelow(compressed, 15_000)
  })

  layer(AppLayer)((it) => {
    it.effect("runs its README's program on Node 24 and on Node 22", () =>
      Effect.gen(function*() {
        const program = yield* Effect.flatMap(baseUrl, (url) => Effect.promise(() => programOf("turma-sdk", url)))
        yield* Effect.promise(() => writeFile(join(folder, "program.ts"), program))
        for (const node of [process.execPath, node22In(shared)]) {
          const { stdout } = yield* Effect.promise(() => run(node, ["program.ts"], { cwd: folder }))
          assert.strictEqual(stdout, `${version}\n`)
        }
      }))
  })
})
