import { Effect } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { Attachments } from "../media/Attachments.ts"
import type { MediaId } from "../media/Media.ts"

/** These rows with the media that their `media_ids` name, in that order. Omits removed media. */
export const withMedia = Effect.fnUntraced(function*<Row extends { readonly media_ids: ReadonlyArray<MediaId> }>(
  attachments: Attachments["Service"],
  club_id: ClubId,
  rows: ReadonlyArray<Row>
) {
  const media = yield* attachments.shown(club_id, rows.flatMap(({ media_ids }) => media_ids))
  return rows.map(({ media_ids, ...row }) => ({ ...row, media: media_ids.flatMap((id) => media.get(id) ?? []) }))
})
