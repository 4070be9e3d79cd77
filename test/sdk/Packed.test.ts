import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../harness/Programs.ts"
import { tarballOf } from "../packages/Packed.ts"

// The SDK as its users have it: packed, installed into an empty project, compiled, and run by Node 22 and 24 and Deno.

const node22 = `other-node@npm:node-${process.platform}-${process.arch}@22.23.3`
const specs = ["typescript@7.0.2", "typescript5@npm:typescript@5.9.3", "@types/node@24.19.2", "deno@2.9.6", node22]

const use = `
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

const strict = {
  target: "ES2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true
}

const browser = { lib: ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], types: [] }
const node = { lib: ["ES2024"], types: ["node"] }

const settings = [
  { name: "Node by nodenext", compiler: "typescript", options: { ...node, module: "nodenext" } },
  { name: "browsers by a bundler", compiler: "typescript", options: { ...browser, module: "preserve" } },
  { name: "Node by TypeScript 5", compiler: "typescript5", options: { ...node, module: "nodenext" } },
  { name: "browsers by TypeScript 5", compiler: "typescript5", options: { ...browser, module: "preserve" } }
]

const program = `
import { createTurma } from "turma-sdk"
const turma = createTurma({ baseUrl: process.argv[2] })
const { data } = await turma.health.live()
console.log(data.status)
`

const registryAnswers = () => run("npm", ["ping"], { cwd: tmpdir() }).then(() => true, () => false)
const withoutRegistry = process.env["CI"] !== "true" && !(await registryAnswers())

describe.skipIf(withoutRegistry)("turma-sdk in an empty project", () => {
  let folder = ""
  let server: Server | undefined

  beforeAll(async () => {
    const home = await realpath(await mkdtemp(join(tmpdir(), "turma-sdk-")))
    folder = join(home, "app")
    await mkdir(folder)
    const tarball = await tarballOf("turma-sdk")
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
    await writeFile(join(folder, "use.ts"), use)
    await writeFile(join(folder, "program.mjs"), program)
    await run(
      "npm",
      ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball, ...specs],
      { cwd: folder }
    )
    server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end("{\"data\":{\"status\":\"ok\"}}")
    })
    await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done))
  })

  afterAll(async () => {
    server?.close()
    if (folder !== "") await rm(join(folder, ".."), { recursive: true })
  })

  it.each(settings)("is checked strictly for $name, its own declarations too", async ({ compiler, options }) => {
    const config = { compilerOptions: { ...strict, ...options }, files: ["use.ts"] }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
    await run(process.execPath, [join("node_modules", compiler, "bin/tsc"), "--project", "."], { cwd: folder })
  })

  it.each([
    ["Node 24", process.execPath, []],
    ["Node 22", "node_modules/other-node/bin/node", []],
    ["Deno", "node_modules/.bin/deno", ["run", "--no-prompt", "--allow-net=127.0.0.1"]]
  ])("runs in %s", async (_, runtime, args) => {
    const address = server?.address()
    const port = typeof address === "object" ? address?.port : undefined
    const { stdout } = await run(runtime, [...args, "program.mjs", `http://127.0.0.1:${port}`], { cwd: folder })
    assert.strictEqual(stdout, "ok\n")
  })
})
