/** Something that a person gives or takes back, as a reaction is. */
export interface Wish {
  /** True to give it, and false to take it back. */
  readonly isGiven: boolean
  /** Asks the service for it. */
  readonly send: (isGiven: boolean) => Promise<unknown>
  /** The service has it so, after the last wish. */
  readonly done: (isGiven: boolean) => void
  /** The last wish was refused, and the service still has it so. */
  readonly failed: (isGiven: boolean, thrown: unknown) => void
}

/** The last wish for each thing with a request under way. */
const wishes = new Map<string, Wish>()

/**
 * Sends one request at a time for a thing, so that the service gets them in order. Of the wishes that come meanwhile,
 * the last one goes next, unless the service has it so already.
 */
export const wishFor = async (thing: string, wish: Wish): Promise<void> => {
  const isUnderWay = wishes.has(thing)
  wishes.set(thing, wish)
  if (isUnderWay) return
  const settle = async ({ isGiven, send }: Wish, known: boolean): Promise<void> => {
    let refusal: { readonly thrown: unknown } | undefined
    try {
      await send(isGiven)
    } catch (thrown) {
      refusal = { thrown }
    }
    const now = refusal === undefined ? isGiven : known
    const last = wishes.get(thing) ?? wish
    if (last.isGiven !== isGiven) return settle(last, now)
    wishes.delete(thing)
    if (refusal === undefined) last.done(now)
    else last.failed(now, refusal.thrown)
  }
  await settle(wish, !wish.isGiven)
}
