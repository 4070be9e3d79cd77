import { Array, DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { judge } from "../jobs/ClockRule.ts"
import { DatabaseTime } from "../sql/DatabaseTime.ts"
import { keyIdOf, keyIdsOf, type Keys, newKey, previousKeys, writeKeyFile } from "../sql/Sealing.ts"
import { dropKeys } from "./KeyFingerprints.ts"
import { keyHolders } from "./KeyHolders.ts"
import { alone, beginRotation, type KeyRotation, latestRotation, noteSealed } from "./KeyRotations.ts"
import { type KeySource, keySource } from "./KeySource.ts"
import { arranged, isOver, stepOf } from "./Rotation.ts"

/** The key cannot be changed now: one line that says why. */
export class RotationRefused extends Schema.TaggedError<RotationRefused>()("RotationRefused", {
  message: Schema.String
}) {}

type Key = Keys[number]

const isSame = (one: Key, other: Key) => keyIdOf(one) === keyIdOf(other)

/**
 * The times of rows show which processes run: with a clock that differs from the database's, running processes would
 * count as ended.
 */
export const requireClock = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const clock = yield* DatabaseTime
  const before = yield* DateTime.now
  const database = yield* clock.ask(sql)
  const verdict = judge({ before, after: yield* DateTime.now, database, swept: null })
  if (verdict._tag !== "Differs") return
  return yield* new RotationRefused({
    message: `this machine's clock says ${DateTime.formatIso(verdict.own)}, the database's ` +
      `${DateTime.formatIso(database)}: set them right, since which processes run cannot be told until they agree`
  })
})

/** Everything that is known before anything is changed. */
const look = Effect.gen(function*() {
  yield* requireClock
  const source = yield* keySource
  const previous = yield* previousKeys
  const own: Keys = [...source.keys, ...previous]
  return { source, own, holders: yield* keyHolders, latest: yield* latestRotation }
})
type Seen = Effect.Success<typeof look>

/** Begins a rotation, with a key that nobody has had. */
const begin = Effect.fnUntraced(function*({ holders, own }: Seen, isAgain: boolean) {
  const old = keyIdOf(own[0])
  const other = holders.find(({ keys: [current] }) => current !== old)
  if (other !== undefined && !isAgain) {
    return yield* new RotationRefused({
      message: `the key of this environment is ${old}, and process ${other.pid} on ${other.machine} seals with ` +
        `${other.keys[0]}: call this with the variables of the service, once all its processes have the same key`
    })
  }
  const key = yield* newKey
  return { rotation: yield* beginRotation(old, keyIdOf(key)), made: Option.some(key) }
})

/** Writes the file for this step, if a command may write it. Answers whether it changed. */
const arrangeFile = Effect.fnUntraced(function*(
  { isOurs, keys, target }: KeySource,
  added: Option.Option<Key>,
  step: Parameters<typeof arranged>[2]
) {
  if (target === undefined || !isOurs || Option.isNone(added)) return false
  const wanted = arranged(keys, added.value, step, isSame)
  if (keyIdsOf(wanted).join() === keyIdsOf(keys).join()) return false
  yield* write(target, wanted)
  return true
})

const ownIds = (own: Keys): ReadonlyArray<string> => keyIdsOf(own)

/** The step of a rotation: by the running processes, or without any by the keys that one would start with. */
const stepHere = (rotation: KeyRotation, { holders, own, source }: Seen) =>
  stepOf(rotation, holders, keyIdOf(own[0]) === rotation.new_key || (source.file === undefined && holders.length > 0))

/** Writes the file of keys. */
const write = (target: string, keys: Keys) =>
  Effect.mapError(
    writeKeyFile(target, keys),
    ({ message }) => new RotationRefused({ message: `${target} was not written: ${message}` })
  )

/**
 * Goes as far with a change of the key as it can now. It begins one unless one is in progress, writes the file of keys
 * if a command may, and answers the step. `isAgain` begins another one in any case.
 */
export const advance = Effect.fnUntraced(function*(isAgain: boolean) {
  return yield* alone(Effect.gen(function*() {
    const seen = yield* look
    const { holders, latest, own, source } = seen
    const isNew = isAgain || Option.match(latest, {
      onNone: () => true,
      onSome: (rotation) => isOver(rotation, holders, ownIds(own))
    })
    const begun = isNew
      ? yield* begin(seen, isAgain)
      : { rotation: Option.getOrThrow(latest), made: Option.none<Key>() }
    const { made } = begun
    const { new_key } = begun.rotation
    const added = Option.orElse(made, () => Array.findFirst(own, (key) => keyIdOf(key) === new_key))
    const step = stepHere(begun.rotation, seen)
    const hasWritten = yield* arrangeFile(source, added, step._tag)
    const rotation: KeyRotation = step._tag === "Seal" ? yield* noteSealed(begun.rotation) : begun.rotation
    return { rotation, step, holders, source, own: ownIds(own), made, isHere: Option.isSome(added), hasWritten }
  }))
})

/** How far a change of the key has come. */
export type Advanced = Effect.Success<ReturnType<typeof advance>>

/** The current state, without changes: the latest rotation, if any, and its step. */
export const lookAtKeys = Effect.gen(function*() {
  const seen = yield* look
  const { holders, latest, own, source } = seen
  const step = Option.map(latest, (rotation) => stepHere(rotation, seen))
  return { rotation: latest, step, holders, source, own: ownIds(own) }
})

const isSameRotation = (one: KeyRotation, other: KeyRotation) =>
  one.old_key === other.old_key && one.new_key === other.new_key && DateTime.Equivalence(one.begun_at, other.begun_at)

/**
 * Keeps only the new key in the file, if a command may write it, and drops the fingerprints of the others. The caller
 * has checked that no row needs another key in this rotation. It checks once more, under the lock.
 */
export const forgetInFile = Effect.fnUntraced(function*(rotation: KeyRotation) {
  const { new_key, old_key } = rotation
  return yield* alone(Effect.gen(function*() {
    const seen = yield* look
    const { isOurs, keys, target } = seen.source
    if (!Option.exists(seen.latest, (latest) => isSameRotation(latest, rotation))) {
      return yield* new RotationRefused({
        message: "another change of the key has begun meanwhile: nothing was left out"
      })
    }
    if (stepHere(rotation, seen)._tag !== "Seal") {
      return yield* new RotationRefused({
        message: `not every process seals with key ${new_key}: see npx turma keys status`
      })
    }
    const forgotten = seen.own.map(keyIdOf).filter((key) => key !== new_key && key !== old_key)
    const drop = dropKeys([old_key, ...forgotten])
    if (target === undefined || !isOurs) return yield* Effect.as(drop, false)
    const [current] = keys
    if (keyIdOf(current) !== new_key) {
      return yield* new RotationRefused({
        message: `${seen.source.file} has key ${keyIdOf(current)} first, not ${new_key}: nothing was left out`
      })
    }
    yield* drop
    yield* write(target, [current])
    return true
  }))
})
