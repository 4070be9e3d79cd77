import * as NodeServices from "@effect/platform-node/NodeServices"
import { DateTime, Duration, Effect, Layer, Logger, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { sealedRows } from "../../App.ts"
import { giveUpKeys } from "../../platform/keys/KeyFingerprints.ts"
import { heartbeatGrace, type KeyHolder, keyHolders, untilHeard } from "../../platform/keys/KeyHolders.ts"
import type { KeyRotation } from "../../platform/keys/KeyRotations.ts"
import { keysFile, readKeysFile } from "../../platform/keys/KeySource.ts"
import { countNeeded, loadedKeys, mayBeForgotten, type Needed } from "../../platform/keys/KeyState.ts"
import {
  advance,
  type Advanced,
  forgetInFile,
  lookAtKeys,
  requireClock,
  RotationRefused
} from "../../platform/keys/rotate.ts"
import type { Step } from "../../platform/keys/Rotation.ts"
import { DatabaseLayer } from "../../platform/sql/Database.ts"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { missingDatabase } from "../../platform/sql/MissingDatabase.ts"
import { keyIdOf, namedKeys, previousKeys, sealingSettings } from "../../platform/sql/Sealing.ts"
import { QuietEnd } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { outputForm, writeJson } from "../output/Print.ts"
import { note, writeLine } from "../output/Write.ts"
import { checkAll } from "../settings/Settings.ts"
import { nameOf, neededLines, stepLines } from "./KeyText.ts"

/** Between two looks at processes that are waited for. */
const pause = Duration.seconds(1)

/** Rows that nobody has moved for so long will not be moved: no key opens them, or no worker hears of it. */
const patience = Duration.minutes(3)

const iso = (at: DateTime.Utc | null) => at === null ? null : DateTime.formatIso(at)

/** The state as a program reads it. */
const documentOf = (
  rotation: Option.Option<KeyRotation>,
  step: Option.Option<Step<KeyHolder>>,
  holders: ReadonlyArray<KeyHolder>,
  needed: Option.Option<Needed>
) => ({
  step: Option.match(step, { onNone: () => null, onSome: ({ _tag }) => _tag.toLowerCase() }),
  rotation: Option.match(rotation, {
    onNone: () => null,
    onSome: ({ begun_at, new_key, old_key, sealed_at }) => ({
      old_key,
      new_key,
      begun_at: iso(begun_at),
      sealed_at: iso(sealed_at)
    })
  }),
  processes: holders.map(({ follows, keys, machine, pid, role, seen_at, started_at }) => ({
    machine,
    pid,
    role,
    seals_with: keys[0],
    opens_with: keys,
    follows_its_file: follows,
    started_at: iso(started_at),
    seen_at: iso(seen_at)
  })),
  old_key_needed: Option.match(needed, {
    onNone: () => null,
    onSome: ({ counts, lost, toMove, toWork, until }) => ({
      until: iso(until),
      rows_to_move: toMove,
      rows_of_imports: toWork,
      tables: counts.map(({ count, key, sealed: { table } }) => ({ table, key, rows: count })),
      lost: lost.map(({ count, key, sealed: { table } }) => ({ table, key, rows: count }))
    })
  })
})

const asJson = Effect.map(outputForm, (form) => form === "json" || form === "jsonl")

const sayAll = (lines: ReadonlyArray<string>) => Effect.forEach(lines, writeLine, { discard: true })

/** Says lines once for as long as they stay the same. */
const makeReporter = () => {
  let reported = ""
  return (lines: ReadonlyArray<string>) => {
    const text = lines.join("\n")
    if (text === reported) return Effect.void
    reported = text
    return Effect.forEach(lines, note, { discard: true })
  }
}

const needed = (rotation: KeyRotation, holders: ReadonlyArray<KeyHolder>, own: ReadonlyArray<string>) =>
  countNeeded(sealedRows, rotation, loadedKeys(holders, own))

/** The new key, for the operator who has to distribute it. It is shown only the first time, since nobody keeps it. */
const showMade = Effect.fnUntraced(function*({ made, source }: Advanced) {
  if (Option.isNone(made) || source.isOurs) return Option.none<string>()
  const key = Buffer.from(Redacted.value(made.value)).toString("base64")
  if (yield* asJson) return Option.some(key)
  yield* note("The new key. It is shown this once: hand it to every machine, and to nobody else")
  yield* writeLine(key)
  return Option.none<string>()
})

const hasWorker = (holders: ReadonlyArray<KeyHolder>) => holders.some(({ role }) => role !== "api")

/** Waits until workers have moved what they move, for as long as that goes on. */
const untilMoved = Effect.fnUntraced(function*(advanced: Advanced, isPatient: boolean) {
  const report = makeReporter()
  let before = Infinity
  let since = yield* DateTime.now
  while (true) {
    const holders = yield* keyHolders
    const found = yield* needed(advanced.rotation, holders, advanced.own)
    if (found.toMove === 0 || !isPatient || !hasWorker(holders)) return found
    const now = yield* DateTime.now
    if (found.toMove < before) since = now
    before = Math.min(before, found.toMove)
    if (Duration.isGreaterThan(DateTime.distance(since, now), patience)) return found
    yield* report([`${found.toMove} rows are still to be moved by a worker`])
    yield* Effect.sleep(pause)
  }
})

const sealedLines = (advanced: Advanced, found: Needed, now: DateTime.Utc) => [
  ...stepLines(advanced),
  ...found.toMove > 0 && advanced.holders.length > 0
    ? [
      hasWorker(advanced.holders) ? "Rows stay with the old key: see the log of a worker" : "No worker runs: start one"
    ]
    : [],
  ...neededLines(found, advanced.rotation, now)
]

/** A process counts as ended only if it could write its row, which it cannot while the database is away. */
const hearAll = untilHeard((late) =>
  note(`Waiting up to ${
    Duration.format(heartbeatGrace)
  } for processes that were silent for more than a minute, as after an ` +
    `outage of the database: ${late.map(nameOf).join(", ")}`)
)

const rotate = Effect.fnUntraced(function*({ again, no_wait }: { readonly again: boolean; readonly no_wait: boolean }) {
  const json = yield* asJson
  const isPatient = !no_wait && !json
  const report = makeReporter()
  yield* hearAll
  let advanced = yield* advance(again)
  const key = yield* showMade(advanced)
  // The file that was written for this step may be enough for the next one.
  const goesOn = ({ hasWritten, step }: Advanced) => step._tag !== "Seal" && (isPatient || hasWritten)
  while (goesOn(advanced)) {
    if (isPatient) yield* report(stepLines(advanced))
    if (!advanced.hasWritten) yield* Effect.sleep(pause)
    advanced = yield* advance(false)
  }
  const isSealed = advanced.step._tag === "Seal"
  const found = isSealed ? Option.some(yield* untilMoved(advanced, isPatient)) : Option.none<Needed>()
  const isDone = Option.exists(found, ({ toMove }) => toMove === 0)
  if (json) {
    const state = documentOf(Option.some(advanced.rotation), Option.some(advanced.step), advanced.holders, found)
    yield* writeJson(Option.match(key, { onNone: () => state, onSome: (new_key) => ({ ...state, made_key: new_key }) }))
  } else if (Option.isSome(found)) yield* sayAll(sealedLines(advanced, found.value, yield* DateTime.now))
  else yield* sayAll(stepLines(advanced))
  if (!isDone) return yield* new QuietEnd({ exit_code: exitCodes.failed.code })
})

const status = Effect.gen(function*() {
  const { holders, own, rotation, source, step } = yield* lookAtKeys
  const under = Option.all({ rotation, step })
  const found = Option.isSome(rotation)
    ? Option.some(yield* needed(rotation.value, holders, own))
    : Option.none<Needed>()
  if (yield* asJson) return yield* writeJson(documentOf(rotation, step, holders, found))
  yield* sayAll(holders.map((holder) => {
    const [current, ...others] = holder.keys
    return `${nameOf(holder)} seals with ${current}${
      others.length === 0 ? "" : `, opens with ${others.join(", ")} too`
    }`
  }))
  if (holders.length === 0) yield* writeLine("No process runs")
  if (Option.isNone(under) || Option.isNone(found)) {
    return yield* writeLine("The key was never changed by npx turma keys rotate")
  }
  const isHere = own.includes(under.value.rotation.new_key)
  yield* sayAll(stepLines({ ...under.value, holders, source, isHere }))
  yield* sayAll(neededLines(found.value, under.value.rotation, yield* DateTime.now))
})

const forget = Effect.gen(function*() {
  yield* hearAll
  const { holders, own, rotation, step } = yield* lookAtKeys
  if (Option.isNone(rotation) || Option.isNone(step)) {
    return yield* new RotationRefused({ message: "the key was never changed by npx turma keys rotate" })
  }
  const { new_key, old_key } = rotation.value
  if (step.value._tag !== "Seal") {
    return yield* new RotationRefused({
      message: `not every process seals with key ${new_key}: see npx turma keys status`
    })
  }
  const found = yield* needed(rotation.value, holders, own)
  if (!mayBeForgotten(found, yield* DateTime.now)) {
    yield* sayAll(neededLines(found, rotation.value, yield* DateTime.now))
    return yield* new RotationRefused({ message: `key ${old_key} is still needed` })
  }
  const hasWritten = yield* forgetInFile(rotation.value)
  if (yield* asJson) return yield* writeJson(documentOf(rotation, step, holders, Option.some(found)))
  yield* writeLine(hasWritten ? "The file of keys has the new key alone" : toLeaveOut(new_key))
  yield* writeLine(`Backups that key ${old_key} has sealed open with it alone: keep it for as long as those`)
})

/** The keys of this environment, also before there is any. */
const ownKeys = Effect.gen(function*() {
  const file = yield* keysFile
  const keys = Option.isSome(file) ? yield* readKeysFile(file.value) : yield* namedKeys
  return [...Option.getOrElse(keys, () => []), ...yield* previousKeys].map(keyIdOf)
})

const giveUp = Effect.gen(function*() {
  yield* requireClock
  yield* hearAll
  const lost = yield* giveUpKeys(sealedRows, loadedKeys(yield* keyHolders, yield* ownKeys))
  if (yield* asJson) return yield* writeJson({ lost })
  yield* sayAll(lost.length === 0
    ? ["No key is lost: this environment and the processes that run have all that the database needs"]
    : lost.map((key) => `Key ${key} is not asked for any more, and what it has sealed stays sealed`))
})

const toLeaveOut = (new_key: string) =>
  `Leave every key but ${new_key} out of APP_SECRET_KEY and APP_SECRET_KEY_PREVIOUS, on every machine, and start again`

const check = Effect.andThen(checkAll({ ...databaseSettings, ...sealingSettings }), previousKeys)

// Their messages are the output: the log of their services would mix with it.
const environment = Layer.mergeAll(DatabaseLayer, NodeServices.layer, SecureRandom.layerWebCrypto)
  .pipe(Layer.provideMerge(Logger.layer([])))

/** Where `DATA_DIR` is another folder than the service's, looking at its keys would make a database there. */
const requireDatabase = Effect.gen(function*() {
  const folder = yield* missingDatabase
  if (Option.isNone(folder)) return
  return yield* new RotationRefused({
    message: `there is no database under ${folder.value}: DATA_DIR names the folder`
  })
}).pipe(Effect.provide(NodeServices.layer))

const onDatabase = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  check.pipe(Effect.andThen(requireDatabase), Effect.andThen(Effect.provide(command, environment)))

/** `turma keys rotate` */
export const rotateKey = (given: Parameters<typeof rotate>[0]) => onDatabase(rotate(given))

/** `turma keys status` */
export const showKeys = onDatabase(status)

/** `turma keys forget` */
export const forgetKey = onDatabase(forget)

/** `turma keys forget --lost` */
export const giveUpLostKeys = onDatabase(giveUp)
