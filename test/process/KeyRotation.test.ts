import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { sealedRows } from "../../src/App.ts"
import { countSealed } from "../../src/platform/keys/SealedCounts.ts"
import { freshDatabaseUrl, postgresLayerAt } from "../harness/Postgres.ts"
import { startArguments } from "../harness/ScriptArguments.ts"
import { ask, runTurma, startApi, startTurma } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { idOf, sealedDocument } from "./SealedDocument.ts"

// Takes long: at every step of a rotation it restarts a service of several processes.

const State = Schema.fromJsonString(Schema.Struct({
  step: Schema.NullOr(Schema.String),
  processes: Schema.Array(Schema.Struct({ pid: Schema.Int, seals_with: Schema.String })),
  old_key_needed: Schema.NullOr(Schema.Struct({ rows_to_move: Schema.Int }))
}))

const keys = (...words: ReadonlyArray<string>) => ({ args: ["src/cli/main.ts", "keys", ...words] })

const decodeHolders = Schema
  .decodeUnknownEffect(Schema
    .Array(Schema.Struct({ pid: Schema.Int, keys: Schema.Array(Schema.String), follows: Schema.Boolean })))

const patiently = Schedule.spaced("100 millis")

/** Sends requests during the work. All must be answered, with 200. */
const underLoad = Effect.fnUntraced(function*<A, E, R>(url: string, work: Effect.Effect<A, E, R>) {
  const statuses: Array<number> = []
  const request = ask(`${url}/v1/health/ready`).pipe(
    Effect.map(({ status }) => status),
    // A broken connection counts as no answer.
    Effect.catchCause(() => Effect.succeed(0)),
    Effect.map((status) => void statuses.push(status))
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(request, Effect.sleep("50 millis"))))
  const answer = yield* work
  assert.deepStrictEqual([...new Set(statuses)], [200])
  return answer
}, Effect.scoped)

const documentKeys = SqlClient.SqlClient.use((sql) =>
  sql`select distinct encode(substring(document from 2 for 4), 'hex') as key from students where document is not null`
)

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "turma keys rotate",
  (it) => {
    it.effect(
      "changes the key of two machines under load, called again after it and a process were killed at each step",
      () =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          const database = yield* freshDatabaseUrl
          const DATABASE_URL = Redacted.value(database)
          const old = randomBytes(32).toString("base64")
          const file = `${yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })}/keys`
          yield* fs.writeFileString(file, `${old}\n`)
          const ofFile = { DATABASE_URL, APP_SECRET_KEY_FILE: file, DATA_DIR: yield* postgresFolder() }
          const ofVariables = { DATABASE_URL, DATA_DIR: yield* postgresFolder(), ROLE: "api" }
          const first = yield* startApi({
            args: startArguments,
            env: { ...ofFile, PROCESSES: "2", LOG_FORMAT: "json" }
          })
          yield* first.until("processes are ready")
          const second = yield* startApi({ args: startArguments, env: { ...ofVariables, APP_SECRET_KEY: old } })
          const readKeys = Effect.map(fs.readFileString(file), (text) => text.trim().split("\n"))

          yield* Effect.gen(function*() {
            const sql = yield* SqlClient.SqlClient
            yield* Effect.replicateEffect(sealedDocument(old), 50)
            const holders = Effect.flatMap(
              sql`select pid, keys, follows from key_holders order by started_at`,
              decodeHolders
            )
            /** The processes of the first machine that hold these keys. */
            const ofFirst = (keys: ReadonlyArray<string>) =>
              Effect.map(
                holders,
                (rows) => rows.filter((row) => row.follows && row.keys.join() === keys.map(idOf).join())
              )
            /** Ends once both processes of the first machine hold these keys, and it has no process with others. */
            const untilFirstHolds = (keys: ReadonlyArray<string>) =>
              Effect.map(holders, (rows) => rows.filter(({ follows, pid }) => follows && existsSync(`/proc/${pid}`)))
                .pipe(Effect.repeat({
                  until: (rows) => rows.length === 2 && rows.every((row) => row.keys.join() === keys.map(idOf).join()),
                  schedule: patiently
                }))
            /** Kills a process that holds these keys. Its row still lists them, and counts for two minutes. */
            const killOne = Effect.fnUntraced(function*(keys: ReadonlyArray<string>) {
              const [one] = yield* Effect.repeat(ofFirst(keys), {
                until: ({ length }) => length > 0,
                schedule: patiently
              })
              const pid = one?.pid ?? assert.fail("Nobody holds these keys")
              yield* Effect.sync(() => process.kill(pid, "SIGKILL"))
              assert.include((yield* holders).map((row) => row.pid), pid)
              yield* sql`update key_holders set seen_at = seen_at - interval '131 seconds' where pid = ${pid}`
              yield* first.until(`Process ${pid} has ended (SIGKILL) and is started again`)
            })

            const killed = yield* startTurma({ ...keys("rotate"), env: ofFile })
            // The command writes the file before its transaction ends: killed between the two, it leaves a useless key.
            yield* Effect.repeat(sql`select 1 from key_rotations`, {
              until: ({ length }) => length === 1,
              schedule: patiently
            })
            const [, fresh = ""] = yield* readKeys
            yield* killed.kill("SIGKILL")
            yield* killed.ended
            assert.deepStrictEqual(yield* readKeys, [old, fresh])
            yield* killOne([old])

            // The processes that read the file replace themselves. The rotation still waits for the other machine.
            const waiting = yield* underLoad(
              first.url,
              Effect.andThen(
                untilFirstHolds([old, fresh]),
                runTurma({ ...keys("rotate", "--no-wait"), env: ofFile })
              )
            )
            assert.strictEqual(waiting.code, 1, waiting.stderr)
            assert.match(waiting.stdout, /^Step 1 of 2/)
            assert.include(waiting.stdout, `process ${second.pid} on`)
            assert.deepStrictEqual(yield* readKeys, [old, fresh])
            yield* second.end()
            const both = { APP_SECRET_KEY: old, APP_SECRET_KEY_PREVIOUS: fresh }
            const third = yield* startApi({ args: startArguments, env: { ...ofVariables, ...both } })

            const rotating = yield* startTurma({ ...keys("rotate"), env: ofFile })
            yield* Effect.repeat(readKeys, { until: ([current]) => current === fresh, schedule: patiently })
            assert.deepStrictEqual(yield* readKeys, [fresh, old])
            yield* killOne([old, fresh])
            // As an operator does who wants the file read at once.
            yield* first.kill("SIGHUP")
            yield* underLoad(first.url, untilFirstHolds([fresh, old]))
            yield* killOne([fresh, old])
            yield* untilFirstHolds([fresh, old])

            // The other machine still seals with the old key. No worker starts any more, so a running one must move this.
            yield* sealedDocument(old)
            yield* third.end()
            const swapped = { APP_SECRET_KEY: fresh, APP_SECRET_KEY_PREVIOUS: old }
            yield* startApi({ args: startArguments, env: { ...ofVariables, ...swapped } })
            const ended = yield* rotating.ended
            assert.strictEqual(ended.code, 0, ended.stderr)
            assert.match(ended.stdout, new RegExp(`^Every process seals with key ${idOf(fresh)}$`, "m"))
            assert.match(
              ended.stdout,
              new RegExp(`^Key ${idOf(old)} may be forgotten from \\d{4}-.* on: then call`, "m")
            )
            assert.match(ended.stdout, /^Backups from before /m)

            const state = yield* Schema
              .decodeEffect(State)((yield* runTurma({ ...keys("status", "--json"), env: ofFile })).stdout)
            assert.deepStrictEqual([state.step, state.old_key_needed?.rows_to_move], ["seal", 0])
            assert.isAtLeast(state.processes.length, 3)
            assert.deepStrictEqual(new Set(state.processes.map(({ seals_with }) => seals_with)), new Set([idOf(fresh)]))
            assert.deepStrictEqual(yield* documentKeys, [{ key: idOf(fresh) }])

            const early = yield* runTurma({ ...keys("forget"), env: ofFile })
            assert.deepStrictEqual([early.code, yield* readKeys], [1, [fresh, old]])
            // For the command, a killed process looks like one without a connection to the database.
            assert.match(early.stderr, /^Waiting up to 30s for .*process \d+ on/)
            yield* sql`update key_rotations set sealed_at = sealed_at - interval '1 hour 1 second'`
            yield* sql`delete from mails`
            const late = yield* runTurma({ ...keys("forget"), env: ofFile })
            assert.deepStrictEqual([late.code, yield* readKeys], [0, [fresh]], late.stderr)
            assert.deepStrictEqual(yield* sql`select key from key_fingerprints`, [{ key: idOf(fresh) }])
            const left = yield* countSealed(sealedRows)
            assert.deepStrictEqual(left.filter(({ key }) => key !== idOf(fresh)), [])

            const everything = [ended, waiting, early, late, first.said].map(({ stderr, stdout }) => stdout + stderr)
              .join()
            assert.notInclude(everything, old)
            assert.notInclude(everything, fresh)
          }).pipe(Effect.provide(postgresLayerAt(database, 2)))
        })
    )

    it.effect(
      "is one step beside the embedded database where nothing runs, and the next start moves what is sealed",
      () =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          const DATA_DIR = yield* postgresFolder()
          const service = yield* startApi({ env: { DATA_DIR } })
          const old = yield* fs.readFileString(`${DATA_DIR}/app-secret-key`)
          assert.strictEqual((yield* service.end()).code, 0)
          const rotated = yield* runTurma({ ...keys("rotate"), env: { DATA_DIR } })
          assert.strictEqual(rotated.code, 0, rotated.stderr)
          const [fresh, previous] = (yield* fs.readFileString(`${DATA_DIR}/app-secret-key`)).split("\n")
          assert.strictEqual(previous, old)
          assert.strictEqual((yield* fs.stat(`${DATA_DIR}/app-secret-key`)).mode & 0o777, 0o600)
          yield* startApi({ env: { DATA_DIR } })
          const said = yield* runTurma({ ...keys("status"), env: { DATA_DIR } })
          assert.include(said.stdout, `seals with ${idOf(fresh ?? "")}, opens with ${idOf(old)} too`)
        })
    )

    it.effect("shows a new key once where variables have it, and asks for it to be set", () =>
      Effect.gen(function*() {
        const database = yield* freshDatabaseUrl
        const old = randomBytes(32).toString("base64")
        const env = { DATABASE_URL: Redacted.value(database), APP_SECRET_KEY: old, DATA_DIR: yield* postgresFolder() }
        yield* SqlClient.SqlClient.use((sql) =>
          sql`
            insert into key_holders (id, machine, pid, role, keys, follows, started_at, seen_at)
            values (gen_random_uuid(), 'gone', 7, 'api', array[${
            idOf(old)
          }], false, clock_timestamp() - interval '1 hour',
              clock_timestamp() - interval '10 minutes')`
        ).pipe(Effect.provide(postgresLayerAt(database, 2)))
        const made = yield* runTurma({ ...keys("rotate", "--no-wait"), env })
        assert.match(made.stderr, /^Waiting up to 30s for .*: process 7 on gone \(api\)$/m)
        const [fresh = ""] = made.stdout.split("\n")
        assert.strictEqual(made.code, 1)
        assert.strictEqual(Buffer.from(fresh, "base64").length, 32)
        assert.include(made.stdout, `Set ${idOf(fresh)} as APP_SECRET_KEY and ${idOf(old)} as APP_SECRET_KEY_PREVIOUS`)
        const again = yield* runTurma({ ...keys("rotate", "--no-wait"), env })
        assert.notInclude(again.stdout, fresh)
        assert.include(again.stdout, idOf(fresh))
        const done = yield* runTurma({
          ...keys("rotate", "--no-wait"),
          env: { ...env, APP_SECRET_KEY: fresh, APP_SECRET_KEY_PREVIOUS: old }
        })
        assert.strictEqual(done.code, 0, done.stderr)
      }))

    it.effect("makes nothing where DATA_DIR is not the folder of the service", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const empty = yield* postgresFolder()
        for (const DATA_DIR of [empty, `${empty}/not-there`]) {
          for (const command of ["status", "rotate", "forget"]) {
            const { code, stderr, stdout } = yield* runTurma({ ...keys(command), env: { DATA_DIR } })
            assert.deepStrictEqual([code, stdout], [1, ""])
            assert.strictEqual(stderr, `turma: there is no database under ${DATA_DIR}: DATA_DIR names the folder\n`)
          }
        }
        assert.deepStrictEqual(yield* fs.readDirectory(empty), [])
      }))
  }
)
