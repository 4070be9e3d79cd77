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
 * What is to be done next: every process is to open with the new key; every process is to seal with it; what is sealed with
 * others is to be moved or waited for.
 */
export type Step<H extends Holder> =
  | { readonly _tag: "Introduce"; readonly missing: Array.NonEmptyReadonlyArray<H> }
  | { readonly _tag: "Swap"; readonly missing: ReadonlyArray<H> }
  | { readonly _tag: "Seal" }

/**
 * The step that these processes are at. Nothing is to be sealed with the new key while one of them does not open with it.
 * `isSwapped` says whether the keys that are looked at, those of the command, begin with the new one: where nothing runs,
 * there is nobody else to ask.
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
 * How the keys of a file are to be ordered at this step. None is left out, since what it has sealed may still be there; and
 * none that seals is put back.
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

/** Whether nothing is left to do: the new key is the only one that anybody holds. */
export const isOver = ({ new_key }: Rotation, holders: ReadonlyArray<Holder>, own: ReadonlyArray<KeyId>): boolean =>
  [own, ...holders.map(({ keys }) => keys)].every((keys) => keys.every((key) => key === new_key))
