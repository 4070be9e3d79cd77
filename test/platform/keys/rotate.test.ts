import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import {
  ConfigProvider,
  DateTime,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  FileSystem,
  Layer,
  Option,
  Redacted,
  Scope
} from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import {
  heartbeatGrace,
  keyHolderLayer,
  keyHolders,
  longestSilence,
  sealsAreBroken,
  untilHeard
} from "../../../src/platform/keys/KeyHolders.ts"
import { alone, beginRotation } from "../../../src/platform/keys/KeyRotations.ts"
import { advance, forgetInFile, lookAtKeys } from "../../../src/platform/keys/rotate.ts"
import { DatabaseTime } from "../../../src/platform/sql/DatabaseTime.ts"
import { keyIdOf, Sealing } from "../../../src/platform/sql/Sealing.ts"
import { eventually } from "../../harness/Eventually.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

const key = (n: number) => Redacted.make(new Uint8Array(32).fill(n))
const textOf = (n: number) => Buffer.alloc(32, n).toString("base64")
const [old, fresh] = [keyIdOf(key(1)), keyIdOf(key(2))]

const isRoot = process.getuid?.() === 0

/** The settings of a command, with a file of these keys. */
const keysIn = Effect.fnUntraced(function*(...keys: ReadonlyArray<number>) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
  const file = `${folder}/keys`
  yield* fs.writeFileString(file, keys.map(textOf).join("\n"))
  const settings = ConfigProvider
    .layer(ConfigProvider.fromEnv({ env: { APP_SECRET_KEY_FILE: file, DATABASE_URL: "postgres://127.0.0.1/turma" } }))
  return { fs, folder, file, settings, read: Effect.map(fs.readFileString(file), (text) => text.split("\n")) }
})

/** Records that a process now holds these keys. */
const holder = Effect.fnUntraced(function*(pid: number, keys: ReadonlyArray<string>, ahead: Duration.Input = 0) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const seen_at = DateTime.toDateUtc(DateTime.addDuration(now, ahead))
  yield* sql`
    insert into key_holders (id, machine, pid, role, keys, follows, started_at, seen_at)
    values (gen_random_uuid(), 'm', ${pid}, 'api', array[${sql.csv(keys.map((id) => sql`${id}`))}]::text[], false,
      ${DateTime.toDateUtc(now)}, ${seen_at})`
})

const nobody = SqlClient.SqlClient.use((sql) => sql`delete from key_holders`)

/** A database whose clock is this much ahead of ours. */
const databaseAhead = (by: Duration.Input) =>
  Layer.succeed(DatabaseTime, {
    ask: () => Effect.map(DateTime.now, DateTime.addDuration(by)),
    isOurs: false
  })

layer(Layer.mergeAll(PostgresLayer, NodeServices.layer, SecureRandom.layerWebCrypto))("The change of a key", (it) => {
  it.effect.skipIf(!isRoot)(
    "by root leaves the file, which a link leads to, to the user of the service",
    () =>
      Effect.gen(function*() {
        const { file, folder, fs, settings } = yield* keysIn(1)
        yield* fs.makeDirectory(`${folder}/of-service`)
        const target = `${folder}/of-service/keys`
        yield* fs.rename(file, target)
        yield* fs.chown(target, 65534, 65534)
        yield* fs.chmod(target, 0o640)
        yield* fs.symlink(target, file)
        yield* Effect.provide(advance(true), settings)
        assert.strictEqual(yield* fs.readLink(file), target)
        assert.lengthOf((yield* fs.readFileString(target)).split("\n"), 2)
        const { gid, mode, uid } = yield* fs.stat(target)
        assert.deepStrictEqual([uid, gid, mode & 0o777], [Option.some(65534), Option.some(65534), 0o640])
        assert.deepStrictEqual(yield* fs.readDirectory(`${folder}/of-service`), ["keys"])
      })
  )

  it.effect("ends with the new key alone in the file", () =>
    Effect.gen(function*() {
      const { read, settings } = yield* keysIn(2, 1)
      const rotation = yield* beginRotation(old, fresh)
      assert.isTrue(yield* Effect.provide(forgetInFile(rotation), settings))
      assert.deepStrictEqual(yield* read, [textOf(2)])
    }))

  it.effect("leaves a useless key if it is killed before its transaction ends, and forgets it at the end", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { read, settings } = yield* keysIn(1)
      yield* sql`delete from key_rotations`
      yield* holder(1, [old])
      const killed = sql.withTransaction(Effect.andThen(advance(false), Effect.fail("killed")))
      assert.strictEqual(yield* Effect.flip(Effect.provide(killed, settings)), "killed")
      const [, useless] = yield* read
      const { rotation } = yield* Effect.provide(advance(false), settings)
      const [first, added = "", ...rest] = yield* read
      assert.deepStrictEqual([first, ...rest], [textOf(1), useless])
      yield* nobody
      const steps = yield* Effect.provide(Effect.all([advance(false), advance(false)]), settings)
      assert.deepStrictEqual(steps.map(({ step }) => step._tag), ["Swap", "Seal"])
      assert.isTrue(yield* Effect.provide(forgetInFile(rotation), settings))
      assert.deepStrictEqual(yield* read, [added])
    }))

  it.effect("does not leave out the key of another change that begins meanwhile", () =>
    Effect.gen(function*() {
      const { read, settings } = yield* keysIn(2, 1)
      const rotation = yield* beginRotation(old, fresh)
      yield* Effect.provide(advance(true), settings)
      const keys = yield* read
      assert.lengthOf(keys, 3)
      const error = yield* Effect.flip(Effect.provide(forgetInFile(rotation), settings))
      assert.include(error.message, "another change of the key has begun")
      assert.deepStrictEqual(yield* read, keys)
    }))

  it.effect("waits for another command, and looks at what that has left", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { read, settings } = yield* keysIn(2, 1)
      const rotation = yield* beginRotation(old, fresh)
      const isAlone = yield* Deferred.make<void>()
      const waiting = sql`
        select 1 from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`
      const other = yield* Effect.forkChild(alone(Effect.gen(function*() {
        yield* Deferred.succeed(isAlone, undefined)
        yield* Effect.repeat(waiting, { until: ({ length }) => length > 0 })
        yield* beginRotation(fresh, keyIdOf(key(3)))
      })))
      yield* Deferred.await(isAlone)
      const error = yield* Effect.flip(Effect.provide(forgetInFile(rotation), settings))
      yield* Fiber.join(other)
      assert.include(error.message, "another change of the key has begun")
      assert.deepStrictEqual(yield* read, [textOf(2), textOf(1)])
    }))

  it.effect("leaves nothing out where a process has come that seals with the old key, or the file does", () =>
    Effect.gen(function*() {
      const { read, settings } = yield* keysIn(2, 1)
      const rotation = yield* beginRotation(old, fresh)
      yield* holder(1, [old, fresh])
      const sealing = yield* Effect.flip(Effect.provide(forgetInFile(rotation), settings))
      assert.include(sealing.message, "not every process seals")
      assert.deepStrictEqual(yield* read, [textOf(2), textOf(1)])
      yield* nobody
      yield* holder(1, [fresh])
      const turned = yield* keysIn(1, 2)
      const first = yield* Effect.flip(Effect.provide(forgetInFile(rotation), turned.settings))
      assert.include(first.message, `not every process seals with key ${fresh}`)
      assert.deepStrictEqual(yield* turned.read, [textOf(1), textOf(2)])
      yield* nobody
    }))

  it.effect("is refused by a clock that is not the database's", () =>
    Effect.gen(function*() {
      const { read, settings } = yield* keysIn(2, 1)
      const rotation = yield* beginRotation(old, fresh)
      for (const by of ["61 seconds", "-61 seconds"] as const) {
        const differing = Layer.merge(settings, databaseAhead(by))
        const refused = <A, E extends Error, R>(command: Effect.Effect<A, E, R>) =>
          Effect.map(Effect.flip(Effect.provide(command, differing)), ({ message }) => message)
        const commands = [refused(advance(false)), refused(lookAtKeys), refused(forgetInFile(rotation))]
        for (const message of yield* Effect.all(commands)) {
          assert.match(message, /^this machine's clock says 1970-\S+, the database's (1969|1970)-\S+: set them right/)
        }
      }
      assert.deepStrictEqual(yield* read, [textOf(2), textOf(1)])
      const near = Layer.merge(settings, databaseAhead("59 seconds"))
      assert.isTrue(Option.isSome((yield* Effect.provide(lookAtKeys, near)).rotation))
    }))

  it.effect("waits for a process whose clock is ahead", () =>
    Effect.gen(function*() {
      yield* holder(7, [old], "1 hour")
      assert.deepStrictEqual((yield* keyHolders).map(({ pid }) => pid), [7])
      yield* nobody
    }))

  it.effect("waits for a process whose clock is behind", () =>
    Effect.gen(function*() {
      const { settings } = yield* keysIn(1)
      const by = Duration.sum(longestSilence, Duration.minutes(1))
      const behind = keyHolderLayer("api").pipe(Layer.provide([
        settings,
        databaseAhead(by),
        Sealing.layerKeys(key(1)).pipe(Layer.provide(SecureRandom.layerWebCrypto))
      ]))
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Layer.build(behind)
        const rightNow = DateTime.addDuration(yield* DateTime.now, by)
        const [one] = yield* keyHolders
        assert.deepStrictEqual(one?.seen_at, rightNow)
      }))
      assert.deepStrictEqual(yield* keyHolders, [])
    }))

  it.effect("does not wait for a process that ended in the middle of a beat", () =>
    Effect.gen(function*() {
      const { settings } = yield* keysIn(1)
      const [reached, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let isHeld = false
      const inMiddle = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(go))
      const database = Layer.succeed(DatabaseTime, {
        ask: () => Effect.andThen(Effect.suspend(() => isHeld ? inMiddle : Effect.void), DateTime.now),
        isOurs: false
      })
      const sealing = Sealing.layerKeys(key(1)).pipe(Layer.provide(SecureRandom.layerWebCrypto))
      const scope = yield* Scope.make()
      yield* Scope.provide(Layer.build(keyHolderLayer("api").pipe(Layer.provide([settings, database, sealing]))), scope)
      isHeld = true
      yield* TestClock.adjust("1 minute")
      yield* Deferred.await(reached)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(closing)
      assert.deepStrictEqual(yield* keyHolders, [])
    }))

  it.effect("is told by a process within seconds that something did not open there", () =>
    Effect.gen(function*() {
      const { settings } = yield* keysIn(1)
      const sealingOf = (n: number) => Sealing.layerKeys(key(n)).pipe(Layer.provide(SecureRandom.layerWebCrypto))
      const areBroken = Effect.provide(sealsAreBroken, sealingOf(2))
      yield* Effect.scoped(Effect.gen(function*() {
        const { open } = yield* Sealing
        yield* Layer.build(keyHolderLayer("worker").pipe(Layer.provide(settings)))
        yield* TestClock.adjust("5 seconds")
        assert.isFalse(yield* areBroken)
        yield* Effect.flip(open(new Uint8Array(40), "a"))
        yield* TestClock.adjust("5 seconds")
        yield* eventually(areBroken, (are) => are)
        yield* Effect.replicateEffect(TestClock.adjust("5 seconds"), 60)
        yield* eventually(areBroken, (are) => !are)
      })).pipe(Effect.provide(sealingOf(1)))
    }))

  it.effect("waits for a process that could not say that it runs while the database was away", () =>
    Effect.gen(function*() {
      const { read, settings } = yield* keysIn(1)
      let isAway = false
      const database = Layer.succeed(DatabaseTime, {
        ask: () => Effect.suspend(() => isAway ? Effect.die(new Error("The database is away")) : DateTime.now),
        isOurs: false
      })
      const sealing = Sealing.layerKeys(key(1)).pipe(Layer.provide(SecureRandom.layerWebCrypto))
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Layer.build(keyHolderLayer("api").pipe(Layer.provide([settings, database, sealing])))
        isAway = true
        yield* Effect.replicateEffect(TestClock.adjust("5 seconds"), 60)
        assert.deepStrictEqual(yield* keyHolders, [])
        isAway = false

        const told = yield* Deferred.make<ReadonlyArray<number>>()
        const waiting = yield* Effect.forkChild(Effect.provide(
          untilHeard((late) => Deferred.succeed(told, late.map(({ pid }) => pid))),
          database
        ))
        assert.deepStrictEqual(yield* Deferred.await(told), [process.pid])
        assert.deepStrictEqual(yield* keyHolders, [])
        assert.isUndefined(waiting.pollUnsafe())
        yield* TestClock.adjust("5 seconds")
        yield* eventually(keyHolders, ({ length }) => length === 1)
        yield* eventually(
          Effect.andThen(TestClock.adjust("1 second"), Effect.sync(() => waiting.pollUnsafe())),
          (exit) => exit !== undefined
        )
        const { step } = yield* Effect.provide(advance(true), settings)
        assert.strictEqual(step._tag, "Introduce")
        // The file still begins with the key with which this process seals.
        const [first, ...others] = yield* read
        assert.deepStrictEqual([first, others.length], [textOf(1), 1])
      }))
    }))

  it.effect("forgets a process that is gone once it could have said that it runs, and waits for it no more", () =>
    Effect.gen(function*() {
      const silent = Duration.sum(longestSilence, Duration.seconds(1))
      yield* holder(7, [old], Duration.negate(silent))
      const told = yield* Deferred.make<void>()
      const waiting = yield* Effect.forkChild(untilHeard(() => Deferred.succeed(told, undefined)))
      yield* Deferred.await(told)
      const from = yield* DateTime.now
      yield* eventually(
        Effect.andThen(TestClock.adjust("1 second"), Effect.sync(() => waiting.pollUnsafe())),
        (exit) => exit !== undefined
      )
      const took = DateTime.distance(from, yield* DateTime.now)
      assert.isTrue(Duration.isGreaterThanOrEqualTo(took, heartbeatGrace))
      yield* untilHeard(() => Effect.die(new Error("Nobody is to be waited for")))
    }))

  it.effect("waits for nobody where all have said of late that they run", () =>
    Effect.gen(function*() {
      yield* holder(7, [old], "-60 seconds")
      yield* untilHeard(() => Effect.die(new Error("Nobody is to be waited for")))
      yield* nobody
    }))
})
