// Who is asked before somebody leaves a page. Pure: it neither leads nor shows.

/** Asks, and does this where the answer is to leave. */
export interface Ask {
  (leave: () => void): void
}

/** Those who keep a page, each until it ends. */
export interface Keepers {
  /** One more, who is asked before those who were there. Answers what ends that. */
  readonly add: (ask: Ask) => () => void
  readonly isEmpty: () => boolean
  /** Does it once whoever came last has said so: then nobody keeps the page any more. */
  readonly ask: (leave: () => void) => void
}

export const noKeepers = (): Keepers => {
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
