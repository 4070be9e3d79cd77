import { Effect, Exit, type Fiber } from "effect"

/** Somebody who waits for an answer. */
interface Asking<Item, Answer> {
  readonly item: Item
  readonly resume: (answer: Effect.Effect<Answer>) => void
}

const unanswered = Effect.die(new Error("A batch left an item without an answer"))

/** How the items of several fibers become one batch. */
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
 *
 * Without Effect's `RequestResolver`, which makes six objects for each request: every attempt asks here.
 */
export const groupCommit = <Item, Answer>(
  { atOnce = 1, limit, run }: Grouping<Item, Answer>
): (item: Item) => Effect.Effect<Answer> => {
  // An array and not a `Set`: V8 would keep the old tables of a set, with long removed items, in the old generation.
  const asking: Array<Asking<Item, Answer>> = []
  let running = 0
  /** A batch has begun and has not yet taken what it is to run. */
  let isGathering = false

  const gather = () => {
    isGathering = false
    return asking.splice(0, limit)
  }

  const answer = (taken: ReadonlyArray<Asking<Item, Answer>>, exit: Exit.Exit<ReadonlyArray<Answer>>) => {
    for (const [index, { resume }] of taken.entries()) {
      if (Exit.isFailure(exit)) resume(Effect.failCause(exit.cause))
      else {
        const own = exit.value[index]
        resume(own === undefined ? unanswered : Effect.succeed(own))
      }
    }
  }

  const runBatch = Effect.withFiber((fiber) => {
    const taken = gather()
    const items = taken.map(({ item }) => item)
    // Items beyond the limit, or that come meanwhile, go into the next batch.
    begin(fiber)
    return Effect.onExit(
      Effect.suspend(() => items.length === 0 ? Effect.succeed([]) : run(items)),
      (exit) =>
        Effect.sync(() => {
          running -= 1
          begin(fiber)
          answer(taken, exit)
        })
    )
  })

  // A turn later, so that what is asked in one turn comes together.
  const batch = Effect.andThen(Effect.yieldNow, runBatch)

  const begin = ({ context }: Fiber.Fiber<unknown, unknown>) => {
    if (isGathering || running === atOnce || asking.length === 0) return
    isGathering = true
    running += 1
    Effect.runForkWith(context)(batch)
  }

  return (item) =>
    Effect.withFiber((fiber) =>
      Effect.callback((resume) => {
        const one = { item, resume }
        asking.push(one)
        begin(fiber)
        return Effect.sync(() => {
          const index = asking.indexOf(one)
          if (index >= 0) asking.splice(index, 1)
        })
      })
    )
}

/**
 * The same with batches of their own for each key, so a key never waits for the statement of another. An unused key is
 * forgotten.
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
