import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Schedule } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { commandModule } from "../harness/CommandModule.ts"
import { freePort } from "../harness/FreePort.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { blocks, guide, marked, project } from "./Guides.ts"
import { nodeReceiver } from "./Receivers.ts"

// Takes long: it runs every command after those of the tour.

const receivers = guide("receivers")
const [service = ""] = blocks(marked(receivers, "guide: service", "guide: commands"), "sh")
// npx runs the first command. The others run what it finds, because npx takes a second itself.
const [beforeFirst = "", ...others] = blocks(marked(receivers, "guide: commands", "/guide"), "sh").join("\n")
  .split("npx turma ")
const commands = `${beforeFirst}npx turma ${others.join(`node_modules/.bin/node ${commandModule} `)}`
  .replaceAll("npx node ", "node_modules/.bin/node ")
// A grading also sends invalid and repeated events, so its output is checked separately.
const gradedApart = commands.replace(/^.* webhooks grade .*$/m, "echo grading\n$&\necho graded")
const tour = blocks(guide("tour"), "sh").join("\n")

/** A folder and ports of our own in place of the guide's. */
const place = Effect.gen(function*() {
  const folder = yield* postgresFolder()
  const ports = { 3000: yield* freePort, 8080: yield* freePort, 8443: yield* freePort }
  // All in one pass: one of our ports may contain one of the guide's, as 38443 contains 8443.
  const here = (script: string) =>
    script.replaceAll(/3000|8080|8443/g, (port) => `${new Map(Object.entries(ports)).get(port)}`)
      .replaceAll(/\.data\b/g, folder)
  return { folder, ports, here }
})

// As in a terminal, job control ends each background job as a whole. Here it also does so if a command fails.
const endJobs = "trap 'kill -- $(jobs -p | sed s/^/-/) 2> /dev/null || true' EXIT"

const bash = (script: string, env: Record<string, string> = {}) =>
  ChildProcess.make("bash", ["-euo", "pipefail", "-c", `set -m; ${endJobs}\n${script}`], {
    cwd: project,
    env,
    extendEnv: true,
    stdin: "ignore",
    stderr: "inherit"
  })

it.live("runs every command of the receiver's guide after the tour", () =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const { folder, here, ports } = yield* place
    yield* fs.symlink(`${project}node_modules`, `${folder}/node_modules`)
    yield* fs.writeFileString(`${folder}/receiver.mjs`, here(nodeReceiver))
    yield* bash(here(service), { PORT: `${ports[3000]}`, DATA_DIR: folder, LOG_LEVEL: "error" })
    yield* HttpClient.get(`http://127.0.0.1:${ports[3000]}/v1/health`).pipe(Effect.retry(Schedule.spaced("200 millis")))
    // A reader takes longer than the assembly of the tour's last event. Before its assembly no endpoint gets it.
    const script = [tour, "sleep 4", gradedApart, "echo every command succeeded"].join("\n")
    const said = yield* spawner.string(bash(here(script)))
    for (
      const line of [
        /^Listening at https:\/\/127\.0\.0\.1:\d+, answering 200\.$/m,
        /webhook\.test {2}verified, answered 200$/m,
        /student\.created {2}verified, answered 200$/m,
        /"email": "caio@example\.com"/,
        /^webhook\.test 1 is new$/m,
        /^verified$/m,
        /"summary":"Delivering; no deliveries wait\."/,
        /"payload":\{"id":"[^"]+","type":"student\.created".*"attempts":\[\{/,
        /"status":"enabled"/,
        /^\{"data":\{"recovered":0\}\}$/m,
        /^every command succeeded$/m
      ]
    ) {
      assert.match(said, line)
    }
    const [before = "", graded = "", after = ""] = said.split(/^grading$|^graded$/m)
    assert.match(graded, /^Grade A: http:\/\/127\.0\.0\.1:\d+\/$/m)
    assert.notMatch(before + after, /not verified|is known/)
  }).pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer])))
