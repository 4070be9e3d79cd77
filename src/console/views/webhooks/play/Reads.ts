import { turma } from "../../../../browser/client/Api.ts"
import { changed, type Read, useRead } from "../../../../browser/client/Reads.ts"
import type { Schemas } from "../../../../sdk/index.ts"
import type { Membership } from "../../../club/Session.ts"
import type { InboxRequest } from "../model/InboxWords.ts"
import type { Source } from "../parts/useFollowing.ts"

export type Inbox = Schemas["WebhookInbox"]

const key = ({ organization_id }: Membership, ...parts: ReadonlyArray<string>) =>
  [organization_id, "webhook-inboxes", ...parts].join("/")

/** Reads the data of inboxes anew after a change. */
export const inboxesChanged = (club: Membership): void => changed(key(club))

/** The inboxes of a club: it has 5 at most. */
export const useInboxes = (club: Membership): Read<ReadonlyArray<Inbox>> =>
  useRead(key(club), async (signal) => {
    const { data } = await turma.webhookInboxes.list({ clubId: club.organization_id }, { signal })
    return data
  })

/** An inbox. */
export const useInbox = (club: Membership, inboxId: string): Read<Inbox> =>
  useRead(key(club, inboxId), async (signal) => {
    const { data } = await turma.webhookInboxes.get({ clubId: club.organization_id, inboxId }, { signal })
    return data
  })

/** A request that an inbox has taken, whole; nothing is read while it is closed. */
export const useRequest = (
  club: Membership,
  { inboxId, isOpen, requestId }: { readonly inboxId: string; readonly requestId: string; readonly isOpen: boolean }
): Read<Schemas["WebhookInboxRequestDetail"]> =>
  useRead(isOpen ? key(club, inboxId, "requests", requestId) : undefined, async (signal) => {
    const params = { clubId: club.organization_id, inboxId, requestId }
    const { data } = await turma.webhookInboxes.request(params, { signal })
    return data
  })

/** The requests of an inbox, as they arrive. */
export const requestsOf = ({ organization_id: clubId }: Membership, inboxId: string): Source<InboxRequest> => ({
  stream: async function*(signal, opened) {
    const onResponse = ({ status }: { readonly status: number }) => {
      if (status === 200) opened()
    }
    for await (const { data } of turma.webhookInboxes.stream({ clubId, inboxId }, { signal, onResponse })) yield data
  },
  page: async (signal) => (await turma.webhookInboxes.requests({ clubId, inboxId, limit: 100 }, { signal })).data
})
