import { to } from "./View.ts"

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

/** The address of a place in a lesson: its view opens it. */
export const sourceAddress = (lesson: string, { block_id, media_id, page, seconds }: Source): string => {
  const named = Object.entries({ block: block_id, media: media_id, page, t: seconds })
  const query = named.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  )
  const address = to("lessons", lesson)
  return query.length === 0 ? address : `${address}?${query.join("&")}`
}

/** Opens a place in the lesson that is shown. False if the lesson does not have it. */
export interface OpenSource {
  (source: Source): boolean
}
