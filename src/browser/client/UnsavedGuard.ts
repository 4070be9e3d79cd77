// The questions before somebody leaves a page. Pure: it neither navigates nor shows.

/** Asks, and calls `leave` if the answer is to leave. */
export interface Ask {
  (leave: () => void): void
}

/** Those who keep a page, each until it ends. */
export interface UnsavedGuard {
  /** One more, who is asked before those who were there. Answers what ends that. */
  readonly add: (ask: Ask) => () => void
  readonly isEmpty: () => boolean
  /** Asks the last keeper, and leaves once it agrees. The page then has no keepers any more. */
  readonly ask: (leave: () => void) => void
}

export const makeUnsavedGuard = (): UnsavedGuard => {
  const asks = new Set<Ask>()
  return {
    add: (ask) => {
      asks.add(ask)
      return () => {
        asks.delete(ask)
      }
    },
    isEmpty: () => asks.size === 0,
    ask: (leave) => {
      const last = [...asks].at(-1)
      if (last === undefined) leave()
      else {
        last(() => {
          asks.clear()
          leave()
        })
      }
    }
  }
}
