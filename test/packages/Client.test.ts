import { assert, beforeAll, describe, it, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { cp, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Email, makeClient } from "turma/client"
import { version } from "../../src/platform/version.ts"
import { AppLayer } from "../harness/App.ts"
import { operations } from "../harness/Document.ts"
import { Mailbox } from "../harness/Mailbox.ts"
import { run } from "../harness/Programs.ts"
import { check, former, inBrowsers, inNode, latest, pageOf, writeReadme } from "./Checked.ts"
import { installedProject, node22In, programOf, project, sharedProject, withoutRegistry } from "./Packed.ts"

// Takes long: it installs packages and runs two compilers.
// The client as its users have it: installed from its tarball into a project with Effect, beside current compilers.

/** Every entry point, checked as strictly as TypeScript can. */
const use = `
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { Api } from "turma-client/Api"
import { CourseId } from "turma-client/learning/content/Course"
import type { WebhookEndpoint } from "turma-client/webhooks/endpoint/Endpoint"
import { type ClientOptions, Email, makeClient, OrganizationId, type TurmaClient, withIdempotencyKey } from "turma-client"

const options: ClientOptions = { baseUrl: "http://127.0.0.1:3000", token: "a" }

export const endpoints = (client: TurmaClient, clubId: OrganizationId) =>
  Effect.map(client.webhookEndpoints.list({ params: { clubId }, query: { limit: 10 } }), ({ data }): ReadonlyArray<WebhookEndpoint> => data)

export const version: Promise<string> = Effect.runPromise(
  Effect.flatMap(makeClient(options), (client) => client.health.live()).pipe(
    Effect.map(({ data }) => data.version),
    withIdempotencyKey("order-1042"),
    Effect.provide(FetchHttpClient.layer)
  )
)

export const refused = (client: TurmaClient) =>
  client.account.createClub({ payload: { name: "Roda" } }).pipe(
    Effect.catchTag("ValidationFailed", ({ error }) => Effect.succeed(error.code))
  )

export const values = [Email.make("ana@school.example"), CourseId, Api]

// @ts-expect-error: there is no such operation
export const nothing = (client: TurmaClient) => client.account.nothing()
`

const baseUrl = Effect.map(
  HttpServer.HttpServer,
  ({ address }) => `http://127.0.0.1:${address._tag === "UnixPathAddress" ? 0 : address.port}`
)

/** The account that the guide signs in, and the club that it names. */
const foundClub = Effect.fnUntraced(function*(url: string) {
  const open = yield* makeClient({ baseUrl: url })
  const [email, password] = [Email.make("ana@example.com"), Redacted.make("violao e voz")]
  yield* open.adminAuth.signUp({ payload: { name: "Ana", email, password } })
  const token = Redacted.make(yield* (yield* Mailbox).secret(email))
  yield* open.adminAuth.confirm({ payload: { token } })
  const { data: grant } = yield* open.adminAuth.signIn({ payload: { email, password } })
  const client = yield* makeClient({ baseUrl: url, token: grant.access_token })
  yield* client.account.createClub({ payload: { name: "Violão Fácil" } })
}, Effect.provide(FetchHttpClient.layer))

describe.skipIf(withoutRegistry)("turma-client in an empty project", () => {
  let folder = ""
  let shared = ""

  beforeAll(async () => {
    shared = await sharedProject()
    const empty = await installedProject("turma-client", { beside: ["effect"], parent: shared })
    folder = empty.folder
    await writeFile(join(folder, "use.ts"), use)
    return empty.remove
  })

  it.each([
    { ...inBrowsers, ...latest },
    { ...inBrowsers, ...former, module: "NodeNext", moduleResolution: "NodeNext" }
  ])("is checked whole by $name for browsers, with the modules of $module", async (setting) => {
    assert.deepStrictEqual(await check({ folder, shared }, setting, ["use.ts"]), [])
  })

  it("is without faults where nothing of browsers is known, and Effect's are those of Web Crypto", async () => {
    const readme = await writeReadme(folder, "turma-client")
    assert.lengthOf(readme, 2)
    const faults = await check({ folder, shared }, { ...inNode, ...latest }, ["use.ts", ...readme])
    assert.isNotEmpty(faults)
    const known = /^node_modules\/effect\/dist\/crypto\/\w+\.d\.ts\(\d+,\d+\): .*'(?:CryptoKey|Crypto|JsonWebKey)'/
    assert.deepStrictEqual(faults.filter((line) => !known.test(line)), [])
  })

  it("is a page of less than 500 bytes for each operation, compressed, that imports nothing", async () => {
    const { compressed, imports, size } = await pageOf(
      folder,
      `import { Effect } from "effect"
       import { FetchHttpClient } from "effect/http"
       import { makeClient } from "turma-client"
       Effect.runPromise(Effect.provide(makeClient({ baseUrl: "" }), FetchHttpClient.layer)).then(console.log)`
    )
    process.stdout.write(`turma-client in a page: ${size} bytes, ${compressed} compressed\n`)
    assert.deepStrictEqual(imports, [])
    assert.isBelow(compressed / operations.length, 500)
  })

  layer(AppLayer)((it) => {
    it.effect("runs the guide's example and its README's on Node 24 and on Node 22", () =>
      Effect.gen(function*() {
        const url = yield* baseUrl
        yield* foundClub(url)
        const example = join(project, "test/guides/example.ts")
        const guide = yield* Effect.promise(() => readFile(join(project, "src/guides/typescript.md"), "utf8"))
        assert.include(guide, yield* Effect.promise(() => readFile(example, "utf8")))
        yield* Effect.promise(() => cp(example, join(folder, "example.ts")))
        const program = yield* Effect.promise(() => programOf("turma-client", url))
        yield* Effect.promise(() => writeFile(join(folder, "program.ts"), program))
        for (const node of [process.execPath, node22In(shared)]) {
          const { stdout } = yield* Effect.promise(() =>
            run(node, ["example.ts"], { cwd: folder, env: { TURMA: url } })
          )
          assert.strictEqual(stdout, "Ana: owner of Violão Fácil\n")
          const shown = yield* Effect.promise(() => run(node, ["program.ts"], { cwd: folder }))
          assert.strictEqual(shown.stdout, `${version}\n`)
        }
      }))
  })
})
