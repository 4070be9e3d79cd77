import { Effect, Exit, Request, RequestResolver, Semaphore } from "effect"

/**
 * Lets fibers share statements: what they ask for while one batch runs becomes the next. Alone, a fiber waits for
 * nobody; under load, batches grow by themselves. `run` answers each item in order; where it fails, all of its batch fail.
 */
export const groupCommit = <Item, Answer>({ atOnce = 1, limit, run }: {
  /** Batches that run side by side, where their order does not matter: more of them wait less and hold less. */
  readonly atOnce?: number
  /** Of items in a batch. */
  readonly limit: number
  readonly run: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Answer>>
}): (item: Item) => Effect.Effect<Answer> => {
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
