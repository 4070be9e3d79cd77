import { Array, Effect, Option, Schema } from "effect"
import { keyIdOf, keyIdsOf, type Keys, newKey, previousKeys, writeKeyFile } from "../sql/Sealing.ts"
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

/** Everything that is known before anything is changed. */
const look = Effect.gen(function*() {
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

/** Writes the file as it is to be at this step, where that is for us to do. Says whether it was changed. */
const arrangeFile = Effect.fnUntraced(
  function*({ file, isOurs, keys }: KeySource, added: Option.Option<Key>, step: Parameters<typeof arranged>[2]) {
    if (file === undefined || !isOurs || Option.isNone(added)) return false
    const wanted = arranged(keys, added.value, step, isSame)
    if (keyIdsOf(wanted).join() === keyIdsOf(keys).join()) return false
    yield* Effect.mapError(
      writeKeyFile(file, wanted),
      ({ message }) => new RotationRefused({ message: `${file} was not written: ${message}` })
    )
    return true
  }
)

const ownIds = (own: Keys): ReadonlyArray<string> => keyIdsOf(own)

/**
 * Goes as far with a change of the key as can be gone now: begins one unless one is under way, writes the file of keys where
 * that is ours, and says which step it is at. `isAgain` begins another one in any case.
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
    // Where processes run they say it; where none does, the keys that one would start with.
    const isSwapped = keyIdOf(own[0]) === new_key || (source.file === undefined && holders.length > 0)
    const step = stepOf(begun.rotation, holders, isSwapped)
    const hasWritten = yield* arrangeFile(source, added, step._tag)
    const rotation: KeyRotation = step._tag === "Seal" ? yield* noteSealed(begun.rotation) : begun.rotation
    return { rotation, step, holders, source, own: ownIds(own), made, isHere: Option.isSome(added), hasWritten }
  }))
})

/** How far a change of the key has come. */
export type Advanced = Effect.Success<ReturnType<typeof advance>>

/** What there is to see, without changing anything: the latest rotation, if any, and its step. */
export const lookAtKeys = Effect.gen(function*() {
  const { holders, latest, own, source } = yield* look
  const ids = ownIds(own)
  const step = Option.map(
    latest,
    (rotation) =>
      stepOf(rotation, holders, ids[0] === rotation.new_key || (source.file === undefined && holders.length > 0))
  )
  return { rotation: latest, step, holders, source, own: ids }
})

/** Leaves only the new key in the file, where that is ours. Whoever calls this has seen that nothing needs another one. */
export const forgetInFile = Effect.fnUntraced(function*({ new_key }: KeyRotation) {
  const { file, isOurs, keys } = yield* keySource
  const key = Array.findFirst(keys, (one) => keyIdOf(one) === new_key)
  if (file === undefined || !isOurs || Option.isNone(key)) return false
  yield* Effect.mapError(
    writeKeyFile(file, [key.value]),
    ({ message }) => new RotationRefused({ message: `${file} was not written: ${message}` })
  )
  return true
})
