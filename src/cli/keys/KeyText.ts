import { DateTime } from "effect"
import type { KeyHolder } from "../../platform/keys/KeyHolders.ts"
import type { KeyRotation } from "../../platform/keys/KeyRotations.ts"
import type { KeySource } from "../../platform/keys/KeySource.ts"
import { mayBeForgotten, type Needed } from "../../platform/keys/KeyState.ts"
import type { Step } from "../../platform/keys/Rotation.ts"
import type { SealedCount } from "../../platform/keys/SealedCounts.ts"

const minute = (at: DateTime.Utc) => DateTime.formatIso(DateTime.startOf(DateTime.add(at, { minutes: 1 }), "minute"))

const many = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`

/** A process for people. */
export const nameOf = ({ machine, pid, role }: KeyHolder) => `process ${pid} on ${machine} (${role})`

const waitingFor = (missing: ReadonlyArray<KeyHolder>): ReadonlyArray<string> =>
  missing.map((holder) =>
    `  ${nameOf(holder)}: ${holder.follows ? "is replaced by itself once its file has changed" : "start it again"}`
  )

interface Seen {
  readonly rotation: KeyRotation
  readonly step: Step<KeyHolder>
  readonly holders: ReadonlyArray<KeyHolder>
  readonly source: KeySource
  readonly isHere: boolean
}

/** The settings that an operator has to change for a step; empty if the command has written the file. */
const toSet = ({ holders, isHere, rotation, source, step }: Seen): ReadonlyArray<string> => {
  const { new_key, old_key } = rotation
  if (source.isOurs) {
    return isHere
      ? []
      : [
        `Key ${new_key} is not in ${source.file}: copy the file of keys here from the machine that has it, or call ` +
        "npx turma keys rotate --again for another key"
      ]
  }
  const both = `${new_key} as APP_SECRET_KEY and ${old_key} as APP_SECRET_KEY_PREVIOUS`
  if (source.file !== undefined) {
    const [first, second] = step._tag === "Introduce" ? [old_key, new_key] : [new_key, old_key]
    return [`Put key ${first} into the first line of ${source.file} and ${second} into the second, on every machine`]
  }
  if (step._tag === "Introduce") {
    return [`Set APP_SECRET_KEY_PREVIOUS to key ${new_key} beside what it has, on every machine, and start again`]
  }
  return [`Set ${both}, on every machine, and ${holders.length === 0 ? "start" : "start again"}`]
}

/** The step of a change of the key, the operator's tasks in it, and the processes that it waits for. */
export const stepLines = (seen: Seen): ReadonlyArray<string> => {
  const { holders, rotation: { new_key, old_key }, step } = seen
  switch (step._tag) {
    case "Introduce":
      return [
        `Step 1 of 2: every process is to open what key ${new_key} seals; ${old_key} still seals`,
        ...toSet(seen),
        ...waitingFor(step.missing)
      ]
    case "Swap":
      return [
        holders.length === 0
          ? "No process runs, so both steps are one: the next start seals with the new key"
          : `Step 2 of 2: every process opens with key ${new_key}, and is to seal with it`,
        ...toSet(seen),
        ...waitingFor(step.missing)
      ]
    case "Seal":
      return holders.length === 0
        ? [`The next start seals with key ${new_key}, and its worker moves what ${old_key} has sealed`]
        : [`Every process seals with key ${new_key}`]
  }
}

const countLine = ({ count, gone, key, sealed: { end, what } }: SealedCount) => {
  const rest = {
    worker: "a worker moves them",
    work: "gone once they are taken in",
    age: gone._tag === "Some" ? `the last is gone by ${minute(gone.value)}` : ""
  }
  return `  ${many(count, "row")} of ${what}, key ${key}: ${rest[end.by]}`
}

const forgetLine = ({ toMove, toWork, until }: Needed, { old_key }: KeyRotation) => {
  const first = [
    ...toMove > 0 ? ["a worker has moved the rest"] : [],
    ...toWork > 0 ? ["the imports under way are done"] : []
  ]
  const also = first.length === 0 ? "" : `, once ${first.join(" and ")}`
  return `Key ${old_key} may be forgotten from ${minute(until)} on${also}: then call npx turma keys forget`
}

/** The rows that still need old keys, and the time from which these may be forgotten. */
export const neededLines = (needed: Needed, rotation: KeyRotation, now: DateTime.Utc): ReadonlyArray<string> => [
  ...needed.counts.map(countLine),
  mayBeForgotten(needed, now)
    ? `Nothing is sealed with key ${rotation.old_key} any more: it may be forgotten, by npx turma keys forget`
    : forgetLine(needed, rotation),
  `Backups from before ${minute(rotation.sealed_at ?? now)} open with key ${rotation.old_key} alone: keep it with them`,
  ...needed.lost.map(({ count, key, sealed: { what } }) =>
    `Nobody holds key ${key}, which has sealed ${many(count, "row")} of ${what}: they open with it alone`
  )
]
