import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Schedule } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { withCommand } from "../harness/CommandModule.ts"
import { compileCache } from "../harness/CompileCache.ts"
import { demoArguments, startArguments } from "../harness/ScriptArguments.ts"
import { runTurma, startTurma } from "../harness/Turma.ts"

// Takes long: it watches the whole demo, and others that end early.

const project = new URL("../../", import.meta.url).pathname

/** An empty folder for temporary files that PostgreSQL's user may pass through. */
const temporaryFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
  yield* fs.chmod(folder, 0o711)
  return folder
})

/** The command lines of the processes that work in this folder. */
const processesIn = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const numbers = (yield* fs.readDirectory("/proc")).filter((name) => /^\d+$/.test(name))
  const lines = yield* Effect.forEach(
    numbers,
    (number) => Effect.orElseSucceed(fs.readFileString(`/proc/${number}/cmdline`), () => "")
  )
  return lines.filter((line) => line.includes(folder))
})

const assertNothingLeft = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  assert.deepStrictEqual(yield* fs.readDirectory(folder), [])
  // A process that was setting the database up takes a moment to notice the removal.
  yield* Effect.repeat(processesIn(folder), {
    until: (lines) => lines.length === 0,
    schedule: Schedule.spaced("50 millis")
  })
})

/** The lines that the demo must print, in this order. */
const story = [
  /demo {6}waits are shortened for the demo: 1 s, 2 s, .* instead of 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h;\n/,
  /turma {5}is ready at http:\/\/127\.0\.0\.1:\d+\n/,
  /you {7}Ana used the link, signed in and founded a club/,
  /turma {5}the signing secret, whsec_\S{6}…, is shown this once/,
  /receiver {2}webhook\.test arrived, signature is right, answered 204\n/,
  /receiver {4}webhook-id {9}[0-9a-f-]{36}\n/,
  /receiver {4}webhook-timestamp {2}\d+\n/,
  /receiver {4}webhook-signature {2}v1,\S{44}\n/,
  /receiver {2}had one word of it been changed on the way: not verified: no signature matches/,
  /turma {5}attempt 1 was accepted: delivered\n/,
  /receiver {2}answers 500 to everything from now on\n/,
  /receiver {2}webhook\.test arrived, signature is right, answered 500\n/,
  /turma {5}attempt 1 failed with 500(?:; the next one in (?:0\.9|1\.[01]) s)?\n/,
  /turma {5}attempt 2 failed with 500(?:; the next one in (?:1\.[89]|2\.[012]) s)?\n/,
  /turma {5}attempt 5 failed with 500: 5 in a row, so the endpoint is held for 5\.0 s\n/,
  // The hold lasts five seconds. On a busy machine its probe may come before Bia.
  /turma {5}Held after 5 failed attempts in a row: one attempt at a time until one is accepted; 1 delivery waits\.\n/,
  /(?:you {7}Bia signed up[^]*?right, answered 500\n|right, answered 500\n[^]*?you {7}Bia signed up)/,
  /turma {5}that was a probe/,
  /receiver {2}works again/,
  /arrived, signature is right, answered 204\n/,
  /turma {5}the hold is over, and what had waited was delivered\n/,
  /turma {5}Delivering; no deliveries wait\.\n/,
  /you {7}Caio signed up/,
  /receiver {2}student\.created arrived, signature is right, answered 204\n/,
  /"name":"Caio","email":"caio@example\.com","verified":true/,
  /turma {5}4 webhooks, \d+ attempts, everything delivered\n/,
  /you {7}have all types of events sent/,
  /you {7}play Hotmart and tell of PURCHASE_APPROVED: POST \/webhooks\/hotmart\/\{token\}, accepted\n/,
  /receiver {2}access\.granted arrived, signature is right, answered 204\n/,
  /you {7}Duda enters by the mailed link and completes it: PUT …\/completion, 110 points\n/,
  /receiver {2}course\.completed arrived, signature is right, answered 204\n/,
  /you {7}play Hotmart and tell of PURCHASE_REFUNDED: .*, accepted\n/,
  /receiver {2}access\.revoked arrived, signature is right, answered 204\n/,
  /you {7}Duda asks to be forgotten/,
  /receiver {2}student\.removed arrived, signature is right, answered 204\n/,
  /"type":"student\.removed",.*"data":\{"student":\{"id":"[0-9a-f-]{36}"\}\}\}\n/,
  /turma {5}the receipt of \S+: 7 bodies of earlier webhooks erased/,
  /What to try next\n.*npm start/
]

const assertTold = (stdout: string) =>
  story.reduce((rest, line) => {
    const found = line.exec(rest)
    assert.isNotNull(found, `${line} is not said, or not after what comes before it:\n${stdout}`)
    return rest.slice((found?.index ?? 0) + (found?.[0].length ?? 0))
  }, stdout)

/** A line: the time, the speaker, and the text. */
const isLine = /^\d\d:\d\d:\d\d {2}(?:demo {4}|you {5}|turma {3}|receiver) {2}.*\S$/

const PATH = process.env["PATH"]

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "npm run demo",
  (it) => {
    it("has the options of V8 that npm start has", () => {
      const options = startArguments.filter((argument) =>
        argument.startsWith("--") && !argument.startsWith("--import=")
      )
      assert.deepStrictEqual(demoArguments, [...options, "src/cli/main.ts", "demo"])
    })

    it.effect(
      "tells the story to its end, whatever the environment says, and leaves nothing behind",
      () =>
        Effect.gen(function*() {
          const TMPDIR = yield* temporaryFolder
          const env = { TMPDIR, DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing", ROLE: "api", PORT: "1" }
          const { code, stderr, stdout } = yield* runTurma({ args: demoArguments, env })
          assert.deepStrictEqual([code, stderr], [0, ""])
          assertTold(stdout)
          const others = stdout.trimEnd().split("\n").filter((line) => !isLine.test(line) && line !== "")
          assert.deepStrictEqual(others.map((line) => line.split(" ")[0]), ["1.", "2.", "3.", "4.", "5.", "6.", "What"])
          yield* assertNothingLeft(TMPDIR)
        })
    )

    it.effect("stops without leaving anything behind when nobody reads it any more", () =>
      Effect.gen(function*() {
        const TMPDIR = yield* temporaryFolder
        const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
        const shell = `"$0" ${withCommand(demoArguments).join(" ")} | head -n 7; echo "\${PIPESTATUS[0]}"`
        const piped = ChildProcess.make("bash", ["-c", shell, process.execPath], {
          cwd: project,
          env: { ...compileCache, TMPDIR, PATH }
        })
        const said = (yield* spawner.string(piped)).trimEnd().split("\n")
        assert.deepStrictEqual([said.length, said.at(-1)], [8, "0"])
        yield* assertNothingLeft(TMPDIR)
      }))

    // The first line comes before there is a database, the second while everything runs.
    it.effect.each(["everything is kept in", "attempt 1 failed"])(
      "stops on Ctrl-C without leaving anything behind, also right after: %s",
      (line) =>
        Effect.gen(function*() {
          const TMPDIR = yield* temporaryFolder
          const turma = yield* startTurma({ args: demoArguments, env: { TMPDIR } })
          yield* turma.until(line)
          const { code, stderr, stdout } = yield* turma.end("SIGINT")
          assert.deepStrictEqual([code, stderr], [0, ""])
          assert.match(stdout, /demo {6}stops and removes what it made\n$/)
          yield* assertNothingLeft(TMPDIR)
        })
    )

    it.effect("says in one line that it needs openssl where there is none", () =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* runTurma({ args: demoArguments, env: { PATH: "/nowhere" } })
        assert.deepStrictEqual(
          { code, stderr, stdout },
          { code: 2, stdout: "", stderr: "turma: The demo makes a certificate with openssl, which is not here\n" }
        )
      }))
  }
)
