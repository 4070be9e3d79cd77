// Entered values over the known ones, while others may change those. Pure: it neither shows nor sends.

/** The texts of a form's fields, by name. */
export type Values = Readonly<Record<string, string>>

/** The entered values, and the values under them. */
export interface Draft {
  /** The known values. */
  readonly base: Values
  readonly entered: Values
  /** The fields that were entered here and changed elsewhere since. */
  readonly contested: ReadonlySet<string>
}

const textOf = (values: Values, name: string) => values[name] ?? ""

/** Nothing is entered yet. */
export const begun = (values: Values): Draft => ({ base: values, entered: values, contested: new Set() })

/** True if this field differs from the saved value. */
export const isTouched = ({ base, entered }: Draft, name: string): boolean =>
  textOf(base, name) !== textOf(entered, name)

/** The fields that are others than what is there. */
export const touched = (draft: Draft): ReadonlyArray<string> =>
  Object.keys(draft.entered).filter((name) => isTouched(draft, name))

/** With this text in this field. */
export const withText = (draft: Draft, name: string, text: string): Draft => ({
  ...draft,
  entered: { ...draft.entered, [name]: text }
})

const without = (names: ReadonlySet<string>, gone: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set([...names].filter((name) => !gone.includes(name)))

/**
 * The same draft over newer values. Untouched fields follow, and the others stay. A touched field is contested if
 * somebody has changed it elsewhere.
 */
export const rebased = (draft: Draft, next: Values): Draft => {
  const kept = touched(draft)
  const moved = kept.filter((name) => textOf(draft.base, name) !== textOf(next, name))
  return {
    base: next,
    entered: { ...next, ...Object.fromEntries(kept.map((name) => [name, textOf(draft.entered, name)])) },
    contested: new Set([...draft.contested, ...moved])
  }
}

/**
 * Another person's value of a contested field. Undefined if the field is not contested, or if both entered the same.
 */
export const theirs = (draft: Draft, name: string): string | undefined =>
  draft.contested.has(name) && isTouched(draft, name) ? textOf(draft.base, name) : undefined

/** With what is there in this field, in place of what was entered. */
export const taken = (draft: Draft, name: string): Draft => ({
  ...withText(draft, name, textOf(draft.base, name)),
  contested: without(draft.contested, [name])
})

/** Takes these saved values as the known ones. */
export const saved = (draft: Draft, sent: Values): Draft => ({
  ...draft,
  base: { ...draft.base, ...sent },
  contested: without(draft.contested, Object.keys(sent))
})

/** Of this body the fields that these names name. */
export const only = <B extends object>(body: B, isNamed: (name: string) => boolean): Partial<B> => {
  const part: Partial<B> = {}
  for (const name in body) if (isNamed(name)) part[name] = body[name]
  return part
}
