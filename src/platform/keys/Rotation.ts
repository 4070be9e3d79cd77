import { Array } from "effect"

/** Names a key without telling anything of it. */
export type KeyId = string

/** A process that runs: the keys that it opens with, the one that it seals with first. */
export interface Holder {
  readonly keys: Array.NonEmptyReadonlyArray<KeyId>
}

/** One key is being changed for another. */
export interface Rotation {
  readonly old_key: KeyId
  readonly new_key: KeyId
}

/**
 * The next step. First every process must open with the new key. Then every process must seal with it. Last, rows
 * sealed with other keys move or expire.
 */
export type Step<H extends Holder> =
  | { readonly _tag: "Introduce"; readonly missing: Array.NonEmptyReadonlyArray<H> }
  | { readonly _tag: "Swap"; readonly missing: ReadonlyArray<H> }
  | { readonly _tag: "Seal" }

/**
 * The step that these processes are at. No process may seal with the new key while another one cannot open with it.
 * `isSwapped` says whether the command's own keys begin with the new one; they decide if no process runs.
 */
export const stepOf = <H extends Holder>(
  { new_key }: Rotation,
  holders: ReadonlyArray<H>,
  isSwapped: boolean
): Step<H> => {
  const without = holders.filter(({ keys }) => !keys.includes(new_key))
  if (Array.isReadonlyArrayNonEmpty(without)) return { _tag: "Introduce", missing: without }
  const others = holders.filter(({ keys: [current] }) => current !== new_key)
  return others.length > 0 || !isSwapped ? { _tag: "Swap", missing: others } : { _tag: "Seal" }
}

/**
 * The order of the keys of a file at this step. Every key stays, since rows sealed with it may still be there, and a
 * sealing key keeps its place.
 */
export const arranged = <K>(
  keys: Array.NonEmptyReadonlyArray<K>,
  added: K,
  step: Step<Holder>["_tag"],
  isSame: (one: K, other: K) => boolean
): Array.NonEmptyReadonlyArray<K> => {
  const [current, ...others] = keys
  const rest = others.filter((key) => !isSame(key, added))
  if (isSame(current, added)) return [current, ...rest]
  return step === "Introduce" ? [current, added, ...rest] : [added, current, ...rest]
}

/** True if the change is over: all processes hold only the new key. */
export const isOver = ({ new_key }: Rotation, holders: ReadonlyArray<Holder>, own: ReadonlyArray<KeyId>): boolean =>
  [own, ...holders.map(({ keys }) => keys)].every((keys) => keys.every((key) => key === new_key))
