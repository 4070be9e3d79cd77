// The players of a lesson: one plays at a time, and a citation finds its second.

/** Something that plays. */
interface Playing {
  /** Plays from this second on. */
  readonly seek: (seconds: number) => void
  readonly pause: () => void
  /** Where it is on the page. */
  readonly shown: HTMLElement | null
}

/** All that plays in a lesson, by its block. */
export interface Stage {
  /** Answers how it leaves again. */
  readonly enter: (blockId: string, playing: Playing) => () => void
  /** The others pause. */
  readonly onlyPlay: (blockId: string) => void
  readonly find: (blockId: string) => Playing | undefined
  /** Reads the lesson again, for new addresses of its files. */
  readonly reload: () => void
}

/** The stage of a lesson. */
export const makeStage = (reload: () => void): Stage => {
  const all = new Map<string, Playing>()
  return {
    enter: (blockId, playing) => {
      all.set(blockId, playing)
      return () => {
        all.delete(blockId)
      }
    },
    onlyPlay: (blockId) => {
      for (const [id, { pause }] of all) if (id !== blockId) pause()
    },
    find: (blockId) => all.get(blockId),
    reload
  }
}
