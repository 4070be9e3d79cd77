import { NodeServices } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Logger, Schedule } from "effect"
import { HttpServer } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { SqlClient } from "effect/sql"
import { dirname } from "node:path"
import { createTurma } from "../../src/sdk/index.ts"
import { WebhookWorkersLayer } from "../../src/webhooks/WebhookWorkers.ts"
import { appLayer, configLayer, foundClub } from "../harness/App.ts"
import { freePort } from "../harness/FreePort.ts"
import { type ReceivedRequest, startReceiver } from "../harness/Receiver.ts"
import { caFile, testCa } from "../harness/Tls.ts"
import { tarballOf } from "../packages/Packed.ts"
import { bundled, compressedSize } from "../sdk/Bundle.ts"
import { blocks, guide } from "./Guides.ts"

// Takes long: it installs the package and runs every program.

const text = guide("sdk")
const steps = text.replaceAll(/<!-- sdk: not run -->.*?<!-- \/sdk: not run -->/gs, "")
const programs = blocks(steps, "js").map((code) => [/^\/\/ (\w+\.mjs)\n/.exec(code)?.[1] ?? "", code] as const)

const ca = testCa()

const TestLayer = Layer.unwrap(Effect.map(caFile(ca), (file) => {
  const variables = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", WEBHOOK_EXTRA_CA_FILE: file }
  return WebhookWorkersLayer.pipe(
    Layer.provideMerge(appLayer(variables)),
    Layer.provide(configLayer(variables)),
    Layer.provideMerge(NodeServices.layer),
    Layer.provide(Logger.layer([]))
  )
}))

const passOn = async (url: string, { body, headers }: ReceivedRequest) => {
  const { status } = await fetch(url, {
    method: "POST",
    body: new Uint8Array(body),
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("webhook-")))
  })
  return { status }
}

// Each background job is ended as a whole.
const endJobs = "trap 'kill -- $(jobs -p | sed s/^/-/) 2> /dev/null || true' EXIT"

// A reader takes longer than the assembly of the first student's event. Before its assembly no endpoint gets it.
const untilAssembled = "until [ -e \"$ASSEMBLED\" ]; do sleep 0.1; done"

/** Makes this file when a student exists and every fact is assembled. */
const tellOfAssembly = Effect.fnUntraced(function*(file: string) {
  const sql = yield* SqlClient.SqlClient
  const fs = yield* FileSystem.FileSystem
  const done = sql`
    select where exists (select from students) and not exists (select from event_outbox)`
  yield* Effect.repeat(done, { until: ({ length }) => length > 0, schedule: Schedule.spaced("50 millis") })
  yield* fs.writeFileString(file, "")
})

/** The output of the guide's commands in an empty folder. */
const followed = Effect.fnUntraced(function*(front: string, port: number, env: Record<string, string>) {
  const fs = yield* FileSystem.FileSystem
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
  const tarball = yield* Effect.promise(() => tarballOf("turma-sdk"))
  const here = (script: string) =>
    script
      .replaceAll("8080", `${port}`)
      .replaceAll("https://hooks.example.com/turma", front)
      .replaceAll("npm install turma-sdk", `npm install --silent ${tarball}`)
      .replaceAll("node receiver.mjs &", "node receiver.mjs > receiver.log &")
  yield* fs.makeDirectory(`${folder}/my-school`)
  yield* Effect.forEach(programs, ([name, code]) => fs.writeFileString(`${folder}/my-school/${name}`, here(code)))
  const script = [
    `set -m; ${endJobs}`,
    ...blocks(steps, "sh").map(here).map((block) =>
      block.includes("$(node endpoint.mjs") ? `${untilAssembled}\n${block}` : block
    ),
    "until grep -q webhook.test receiver.log; do sleep 0.2; done",
    "cat receiver.log"
  ]
  const assembled = `${folder}/assembled`
  yield* Effect.forkScoped(tellOfAssembly(assembled))
  return yield* spawner.string(ChildProcess.make("bash", ["-euo", "pipefail", "-c", script.join("\n")], {
    cwd: folder,
    env: { ...env, ASSEMBLED: assembled, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
    extendEnv: true,
    stdin: "ignore",
    stderr: "inherit"
  }))
})

layer(TestLayer, { excludeTestServices: true })("the guide of turma-sdk", (it) => {
  it.effect("leads from an empty folder to a verified webhook", () =>
    Effect.gen(function*() {
      const { address } = yield* HttpServer.HttpServer
      if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server listens on no port"))
      const front = yield* startReceiver({ ca })
      const port = yield* freePort
      front.answerWith((request) => passOn(`http://127.0.0.1:${port}/`, request))
      const club = yield* foundClub()
      const baseUrl = `http://127.0.0.1:${address.port}`
      const { data: key } = yield* Effect.promise(() =>
        createTurma({ baseUrl, token: club.token }).keys.create({
          clubId: club.organization_id,
          body: { name: "My school", role: "admin" }
        })
      )
      const said = yield* followed(front.url, port, { TURMA: baseUrl, TURMA_TOKEN: key.token })
      const lines = said.trim().split("\n")
      assert.deepStrictEqual(lines, [
        "Bia Lima is new",
        "Bia Lima <bia.lima@example.com>",
        "She was there already",
        "Bia Lima <bia.lima@example.com>",
        "Refused: header_missing",
        "webhook.test is verified"
      ])
    }))
})

describe("the guide of turma-sdk", () => {
  it("says what it weighs", async () => {
    const { code } = await bundled("esm")
    assert.include(text.replaceAll(/\s+/g, " "), `${Math.round(compressedSize(code) / 1000)} kB compressed`)
  })
})
