import { turma } from "../../client/Api.ts"
import { useRead } from "../../client/Reads.ts"
import type { Membership } from "../../client/Session.ts"
import { ofClub } from "../../client/View.ts"

/** Changes when something was uploaded anywhere, so that a list with it in its key is read anew. */
export const useNewestMedia = (club: Membership): string => {
  const { data = "" } = useRead(`${club.organization_id}/media/newest`, async (signal) => {
    const { data } = await turma.media.list({ ...ofClub(club), limit: 1 }, { signal })
    return data.map(({ id, status }) => `${id} ${status}`).join("")
  })
  return data
}
