/** A place in a lesson, as a citation names it. */
export interface Source {
  /** The media record: a video, a sound or a document of the lesson. */
  readonly media_id?: string | null
  /** The block, where the source is a text of the lesson. */
  readonly block_id?: string | null
  /** The page of a document, from 1 on. */
  readonly page?: number | null
  /** The second of a video or sound. */
  readonly seconds?: number | null
}

/** Opens a place in the lesson that is shown. False if the lesson does not have it. */
export interface OpenSource {
  (source: Source): boolean
}
