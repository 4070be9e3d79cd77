import { turma } from "../../../browser/client/Api.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import type { Membership } from "../Session.ts"
import { ofClub } from "../View.ts"

/** An image of the library, with an address that works now. */
export interface LibraryImage {
  readonly media_id: string
  readonly media: { readonly url: string; readonly expires_at: string | null }
}

const none: ReadonlyArray<LibraryImage> = []

/** The images of the library with these ids. Omits an image that is not there. */
export const useImages = (club: Membership, ids: ReadonlyArray<string>): ReadonlyArray<LibraryImage> => {
  const { data } = useRead(
    ids.length === 0 ? undefined : `${club.organization_id}/media/shown/${ids.join(",")}`,
    (signal) =>
      Promise.all(ids.map((mediaId) =>
        turma.media.download({ ...ofClub(club), mediaId }, { signal }).then(
          ({ data: { expires_at, url } }) => [{ media_id: mediaId, media: { expires_at, url } }],
          () => []
        )
      ))
  )
  return data?.flat() ?? none
}
