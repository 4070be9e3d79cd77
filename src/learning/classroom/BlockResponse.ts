import { embedUrlOf } from "../media/HostedAddress.ts"
import type { MediaId, ShownMedia } from "../media/Media.ts"
import type { ClassroomBlock } from "./Classroom.ts"
import type { StudentBlock } from "./ClassroomRepo.ts"

type MediaById = ReadonlyMap<MediaId, ShownMedia>

const questionsOf = ({ questions }: StudentBlock) =>
  (questions ?? []).map(({ id, options, text }) => ({
    id,
    text,
    options: options.map(({ id, text }) => ({ id, text }))
  }))

const submissionOf = ({ last_submission }: StudentBlock, media: MediaById) => {
  if (last_submission === null) return null
  const { media_ids, ...submission } = last_submission
  return { ...submission, media: media_ids.flatMap((id) => media.get(id) ?? []) }
}

const embedOf = (media: ShownMedia | null) =>
  media === null || media.provider === "storage" ? null : embedUrlOf(media.url)

/** The images that a text names, without removed ones. */
export const imagesIn = (ids: ReadonlyArray<MediaId>, shown: MediaById) =>
  ids.flatMap((media_id) => {
    const media = shown.get(media_id)
    return media === undefined ? [] : [{ media_id, media }]
  })

/** The media that a block shows: its own file, the images in its text, and the attachments of the submission. */
export const mediaIdsOf = ({ image_ids, last_submission, media_id }: StudentBlock): ReadonlyArray<MediaId> => [
  ...media_id === null ? [] : [media_id],
  ...image_ids,
  ...last_submission?.media_ids ?? []
]

/**
 * A block as its student sees it, without which options are right. The table ensures that the fields of its kind are
 * not null.
 */
export const blockResponse = (block: StudentBlock, media: MediaById): ClassroomBlock => {
  const { body, id, kind, last_attempt, media_id, pass_percent, title } = block
  switch (kind) {
    case "text":
      return { kind, id, title, body: body ?? "", images: imagesIn(block.image_ids, media) }
    case "video":
    case "file": {
      const shown = (media_id === null ? undefined : media.get(media_id)) ?? null
      return { kind, id, title, media_id: shown === null ? null : media_id, media: shown, embed_url: embedOf(shown) }
    }
    case "quiz":
      return { kind, id, title, pass_percent: pass_percent ?? 0, questions: questionsOf(block), last_attempt }
    case "assignment":
      return {
        kind,
        id,
        title,
        body: body ?? "",
        images: imagesIn(block.image_ids, media),
        last_submission: submissionOf(block, media)
      }
  }
}
