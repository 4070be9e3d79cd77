import { Effect, FileSystem, Option } from "effect"
import type { SealedRows } from "../sql/SealedRows.ts"
import { configuredKeys, keyFile, keyIdOf, keyIdsOf, keyRefused, namedKeys, previousKeys } from "../sql/Sealing.ts"
import { dropKeys, isStored, knownKeys, missingOf, storedKeys, storeKey } from "./KeyFingerprints.ts"
import { keyHolders } from "./KeyHolders.ts"
import { alone } from "./KeyRotations.ts"
import type { KeyId } from "./Rotation.ts"
import { firstSealedWith } from "./SealingKeys.ts"

/** Every key that a process would start with, and their places. Generates no key. */
const lookForKeys = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const file = Option.isSome(yield* namedKeys) ? undefined : yield* keyFile
  const isThere = file === undefined || (yield* Effect.orElseSucceed(fs.exists(file), () => true))
  return { file, isThere, keys: isThere ? yield* configuredKeys : yield* previousKeys }
})
type Found = Effect.Success<typeof lookForKeys>

/** A row that still needs a key; `None` without such a row. */
const needOf = Effect.fnUntraced(function*(all: ReadonlyArray<SealedRows>, key: KeyId) {
  const sealed = yield* firstSealedWith(all, key)
  if (Option.isSome(sealed)) return Option.some(`which has sealed ${sealed.value.what}`)
  const holder = (yield* keyHolders).find(({ keys: [current] }) => current === key)
  return Option.map(Option.fromNullishOr(holder), ({ machine, pid }) => `which process ${pid} on ${machine} seals with`)
})

const wayOut = "If nobody has it any more: npx turma keys forget --lost"

const faultOf = ({ file, isThere, keys }: Found, key: KeyId, need: Option.Option<string>) => {
  const what = `APP_SECRET_KEY: the database needs key ${key}${
    Option.match(need, { onNone: () => "", onSome: (why) => `, ${why}` })
  }`
  if (!isThere) {
    return `${what}; ${file} is not there, and no other key is made: put the file back, or set APP_SECRET_KEY to its key. ${wayOut}`
  }
  const loaded = keys.map(keyIdOf).join(", ")
  return file === undefined
    ? `${what}; the keys that are set are ${loaded}: set APP_SECRET_KEY to it, or APP_SECRET_KEY_PREVIOUS where another key seals by now. ${wayOut}`
    : `${what}; ${file} has ${loaded}: put back the file that belongs to this database, or set APP_SECRET_KEY. ${wayOut}`
}

/** The keys of this environment beside the ones that the database needs. Changes nothing, and generates no key. */
const compare = Effect.fnUntraced(function*(all: ReadonlyArray<SealedRows>) {
  // Before the keys: the process that generates one stores its fingerprint afterwards.
  const known = yield* knownKeys(all)
  const found = yield* lookForKeys
  const missing = missingOf(known, found.keys)
  for (const { key } of missing) {
    const need = yield* needOf(all, key)
    if (!found.isThere || Option.isSome(need)) {
      return { known, found, missing, fault: Option.some(faultOf(found, key, need)) }
    }
  }
  return { known, found, missing, fault: Option.none<string>() }
})

/** Why a process could not start with the keys of this environment; `None` if it could. */
export const keyFault = (all: ReadonlyArray<SealedRows>) => Effect.map(compare(all), ({ fault }) => fault)

/**
 * Lets a process start if the keys of its environment open what is sealed. Generates a key beside an embedded database in which
 * nothing is sealed. Stores the fingerprint of the key that seals. Fails with what to set if a key is missing that something
 * needs.
 */
export const guardKeys = Effect.fn("KeyGuard.guard")(function*(all: ReadonlyArray<SealedRows>) {
  while (true) {
    const { fault, known, missing } = yield* compare(all)
    if (Option.isSome(fault)) return yield* keyRefused(fault.value)
    const keys = yield* configuredKeys
    const [current] = keys
    if (missing.length === 0 && isStored(known, current)) return
    const unneeded = missing.map(({ key }) => key)
    // A key that has sealed rows here, by its id, gets its fingerprint stored now.
    const proved = keys.filter((key) => key === current || known.some((one) => one.key === keyIdOf(key)))
    const isDone = yield* alone(Effect.gen(function*() {
      const added = missingOf(yield* storedKeys, keys).filter(({ key }) => !unneeded.includes(key))
      if (added.length > 0) return false
      yield* dropKeys(unneeded)
      yield* Effect.forEach(proved, storeKey, { discard: true })
      return true
    }))
    if (!isDone) continue
    yield* Effect.logDebug("The fingerprint of the key is in the database", { keys: keyIdsOf(keys).join(" ") })
    return
  }
})
