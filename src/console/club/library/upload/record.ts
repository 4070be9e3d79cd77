import { turma } from "../../../../browser/client/Api.ts"
import { currentMillis } from "../../../../browser/client/Time.ts"
import { type Parts, wholeFile } from "../../../../browser/client/upload/sending.ts"
import { type Schemas, TurmaError } from "../../../../sdk/index.ts"
import { me } from "../../Session.ts"
import type { Chosen } from "./begun.ts"
import { forgetBegun, remember, remembered } from "./memory.ts"

/** A media record. */
export type Media = Schemas["Media"]

type Whole = Schemas["MediaUpload"] & {
  /** Until when the address is used, by this machine's clock. */
  readonly until: number
}

/** A record, and how its file is sent in one request, as long as that is known. */
export interface Started {
  readonly media: Media
  readonly whole: Whole | undefined
  /** True if an earlier page has begun it. */
  readonly isContinued: boolean
}

/** An address for a whole file lives for a quarter of an hour; the last minute is not relied upon. */
const wholeLifetime = 14 * 60_000

const isCode = (thrown: unknown, ...codes: ReadonlyArray<string>) =>
  thrown instanceof TurmaError && codes.includes(thrown.code)

const chosenOf = (clubId: string, { lastModified, name, size }: File): Chosen => ({
  clubId,
  personId: me.peek()?.id ?? "",
  lastModified,
  name,
  size
})

/** Begins an upload. */
export const beginAnew = async (clubId: string, file: File, signal: AbortSignal): Promise<Started> => {
  const body = { file_name: file.name, mime: file.type, size_bytes: file.size }
  const { data: { media, upload } } = await turma.media.create({ clubId, body }, { signal })
  remember({ ...chosenOf(clubId, file), mediaId: media.id })
  const whole = upload === null ? undefined : { ...upload, until: currentMillis() + wholeLifetime }
  return { media, whole, isContinued: false }
}

// Another's of the same name and size may be another file, so what this tab has begun is all that counts.
const begunBefore = async (clubId: string, file: File, taken: ReadonlySet<string>, signal: AbortSignal) => {
  const mediaId = remembered(chosenOf(clubId, file), taken)
  if (mediaId === undefined) return undefined
  try {
    const { data } = await turma.media.get({ clubId, mediaId }, { signal })
    if (data.status === "uploading") return data
  } catch (thrown) {
    if (!isCode(thrown, "not_found")) throw thrown
  }
  forgetBegun(mediaId)
  return undefined
}

/** Goes on with the upload of this file that this tab has begun, or begins one. */
export const begin = async (
  clubId: string,
  file: File,
  taken: ReadonlySet<string>,
  signal: AbortSignal
): Promise<Started> => {
  const media = await begunBefore(clubId, file, taken, signal)
  return media === undefined ? beginAnew(clubId, file, signal) : { media, whole: undefined, isContinued: true }
}

/** Deletes a record with what has come of its file. */
export const discard = async (clubId: string, mediaId: string): Promise<void> => {
  forgetBegun(mediaId)
  await turma.media.remove({ clubId, mediaId })
}

const nothingMissing: Parts = { part_size: 1, part_count: 0, received: [], missing: [] }

/**
 * The parts that the storage has. A storage without parts takes the whole file as one. Undefined once the address has
 * ended.
 */
export const partsOf = async (
  clubId: string,
  { media, whole }: Started,
  size: number,
  signal: AbortSignal
): Promise<Parts | undefined> => {
  try {
    const { data } = await turma.media.resume({ clubId, mediaId: media.id }, { signal })
    return data
  } catch (thrown) {
    // It was confirmed before, and the answer did not come.
    if (isCode(thrown, "upload_completed")) return nothingMissing
    if (!isCode(thrown, "upload_in_parts_unavailable")) throw thrown
    return whole !== undefined && currentMillis() < whole.until ? wholeFile(whole, size) : undefined
  }
}
