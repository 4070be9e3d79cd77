import { Effect, Exit, Request, RequestResolver, Semaphore } from "effect"

/** How the items of fibers are taken together. */
interface Grouping<Item, Answer> {
  /** Batches that run side by side, where their order does not matter: more of them wait less and hold less. */
  readonly atOnce?: number
  /** Of items in a batch. */
  readonly limit: number
  readonly run: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Answer>>
}

/**
 * Lets fibers share statements: what they ask for while one batch runs becomes the next. Alone, a fiber waits for
 * nobody; under load, batches grow by themselves. `run` answers each item in order; where it fails, all of its batch fail.
 */
export const groupCommit = <Item, Answer>(
  { atOnce = 1, limit, run }: Grouping<Item, Answer>
): (item: Item) => Effect.Effect<Answer> => {
  class Asked extends Request.Class<{ readonly item: Item }, Answer> {}
  const gate = Semaphore.makeUnsafe(atOnce)
  const resolver = RequestResolver.make<Asked>((entries) =>
    gate.withPermit(run(entries.map(({ request }) => request.item))).pipe(
      Effect.map((answers) => {
        for (const [index, entry] of entries.entries()) {
          const answer = answers[index]
          entry.completeUnsafe(
            answer === undefined ? Exit.die(new Error("A batch left an item without an answer")) : Exit.succeed(answer)
          )
        }
      })
    )
  ).pipe(
    RequestResolver.setDelayEffect(Effect.andThen(Effect.yieldNow, gate.withPermit(Effect.void))),
    RequestResolver.batchN(limit)
  )
  return (item) => Effect.request(new Asked({ item }), resolver)
}

/**
 * The same with batches of their own for each key, so that none waits for what another one's statement waits for. A key
 * that nobody asks for is forgotten.
 */
export const groupCommitBy = <Key, Item, Answer>(
  grouping: (key: Key) => Grouping<Item, Answer>
): (key: Key, item: Item) => Effect.Effect<Answer> => {
  const groups = new Map<Key, { readonly ask: (item: Item) => Effect.Effect<Answer>; users: number }>()
  return (key, item) =>
    Effect.suspend(() => {
      const group = groups.get(key) ?? { ask: groupCommit(grouping(key)), users: 0 }
      groups.set(key, group)
      group.users += 1
      return Effect.ensuring(
        group.ask(item),
        Effect.sync(() => {
          group.users -= 1
          if (group.users === 0) groups.delete(key)
        })
      )
    })
}
