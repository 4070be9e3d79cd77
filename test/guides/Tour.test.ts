import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Schedule, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ChildProcess } from "effect/process"
import { commandModule } from "../harness/CommandModule.ts"
import { freePort } from "../harness/FreePort.ts"
import { blocks, guide, marked, project, readme } from "./Guides.ts"

// Takes long: it runs every command of two guides.

/** All shell blocks of the tour, and of the guides that continue in its terminal, as one script. */
const tour = [
  ["tour", "tour"],
  ["sales-platforms", "sales"],
  ["support", "support"],
  ["authentication", "authentication"],
  ["club-keys", "club keys"],
  ["agents", "agents"],
  ["pagination", "pagination"],
  ["idempotency", "idempotency"],
  ["audit-log", "audit-log"],
  ["command-line", "command-line"]
]
  .flatMap(([page = "", name = ""]) => blocks(marked(guide(page), name), "sh"))
  .join("\n")
  // With the Node that runs the tests. npx runs the commands in the guide to receivers.
  .replaceAll(/^npx turma /gm, `node_modules/.bin/node ${commandModule} `)

/** The commands of the README. */
const shortTour = blocks(marked(readme, "tour"), "sh").join("\n")

/** The output of a command. Dies if the command fails. */
const outputOf = Effect.fn(function*(command: ChildProcess.Command) {
  const child = yield* command
  const said = yield* Stream.mkString(Stream.decodeText(child.stdout))
  assert.strictEqual(yield* child.exitCode, 0, `It failed after it had said: ${said}`)
  return said
}, Effect.scoped)

/** The service as a newcomer starts it: with embedded defaults, but with its own port and folder. */
const startService = Effect.fn(function*(port: number, folder: string) {
  yield* ChildProcess.make("npm", ["start"], {
    cwd: project,
    env: { PORT: String(port), DATA_DIR: folder },
    extendEnv: true,
    stdout: "ignore",
    stderr: "inherit"
  })
  yield* HttpClient.get(`http://127.0.0.1:${port}/v1/health`).pipe(Effect.retry(Schedule.spaced("200 millis")))
})

it.live("runs the README's tour and the guide's on a fresh folder", () =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-tour-" })
    const port = yield* freePort
    yield* startService(port, folder)
    const run = (commands: string, env: Record<string, string> = {}) => {
      const script = commands.replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`).replaceAll(".data/", `${folder}/`)
      const shell = ["-euo", "pipefail", "-c", script]
      return outputOf(ChildProcess.make("bash", shell, {
        cwd: project,
        env,
        extendEnv: true,
        stdin: "ignore",
        stderr: "inherit"
      }))
    }
    // From another address than the long tour: both together would exceed the limit of credentials for a minute.
    yield* fs.writeFileString(`${folder}/.curlrc`, "interface = 127.0.0.2\n")
    const short = yield* run(shortTour, { CURL_HOME: folder })
    for (const said of ["{\"data\":{\"status\":\"accepted\"}}", "Sopre como quem aquece as mãos."]) {
      assert.include(short, said)
    }
    assert.match(short, /"public_id":"respirar".*\n$/)
    const output = yield* run(tour)
    for (
      const said of [
        "{\"data\":{\"accepted\":true}}",
        "{\"data\":{\"verified\":true}}",
        "\"role\":\"owner\"",
        "\"name\":\"Primeiros acordes\",\"min_points\":0",
        "\"published_at\":\"2026-11-21T12:00:00.000Z\"",
        "\"points\":520,\"level\":",
        "\"source\":\"invitation\",\"active\":true",
        "\"public_id\":\"mao-direita\"",
        "event: message.completed",
        "\"cited_text\":\"O polegar toca as três cordas graves.",
        "mi lá ré sol si mi\n",
        "\"points_awarded\":600",
        "\"points\":605,\"level\":",
        "\"position\":1",
        "Davi: soltar o pulso, ouvir o metrônomo\n",
        "\"subject\":\"Certificado\",\"status\":\"open\"",
        "\"unread_count\":1",
        "\"status\":\"pending\"",
        "Ele chega por e-mail quando a última aula termina.",
        "\"name\":\"club_show\"",
        "\"isError\":false",
        "\"serverInfo\":{\"name\":\"turma\"",
        "\"processed\":2,\"created\":1",
        "\"line\":3,\"field\":\"email\"",
        "\"name\":\"Fábio Sá\"",
        "{\"data\":{\"status\":\"accepted\"}}",
        "\"name\":\"Elis\"",
        "\"anonymized\":true",
        "\"counts\":{",
        "\"name\":\"Hugo\"",
        "{\"error\":{\"code\":\"forbidden\"",
        "<title>Documentation · Turma</title>",
        "\"current\":true",
        "{\"error\":{\"code\":\"unauthenticated\"",
        "\"acts_as\":\"support\"",
        "\"next_cursor\":\"",
        "\"next_cursor\":null",
        "idempotency-replayed: true",
        "\"operation\":\"deliveries.create\",\"targets\":{}",
        "\"operation\":\"students.remove\",\"targets\":{\"studentId\":",
        "E-mail\tana@example.com\n",
        "\tIara Reis\tiara@example.com\t",
        "Rows\t1\n",
        "student.created\tA student account is created",
        "\"email\":\"joao@example.com\"",
        "Address\tcoral\n"
      ]
    ) {
      assert.include(output, said)
    }
  }).pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer])))
